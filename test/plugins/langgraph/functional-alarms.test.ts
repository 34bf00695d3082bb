import { entrypoint, MemorySaver, task } from '@langchain/langgraph';
import { expect, test, vi } from 'vitest';
import { AuditHalt } from '../../../core/index.js';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import { pausing, recovering } from '../../support/alarmed-graphs.js';

vi.spyOn(console, 'error').mockImplementation(() => {});

const config = { configurable: { thread_id: '1' } };

/** Drafts, and sends the draft; its first drafts are wrong, as many as are asked for. */
function workflow(ran: string[], wrongDrafts: number) {
  let drafts = 0;
  const draft = task('draft', async (topic: string) => {
    ran.push('draft');
    return `${drafts++ < wrongDrafts ? 'WRONG' : 'right'} words on ${topic}`;
  });
  const send = task('send', async (text: string) => {
    ran.push('send');
    return `${text.length} characters sent`;
  });
  const checkpointer = new MemorySaver();
  return entrypoint({ name: 'flow', checkpointer }, async (topic: string) => {
    const text = await draft(topic);
    ran.push('code behind the draft');
    return `${await send(text)}: ${text.split(' ')[0]?.toLowerCase()}`;
  });
}

test('pause: a task cannot be paused without losing its result, so it halts; going on keeps the result', async () => {
  const ran: string[] = [];
  const { runtime, closes } = pausing();
  const app = withAuditor(workflow(ran, 99), runtime);
  await expect(app.invoke('pumps', config)).rejects.toBeInstanceOf(AuditHalt);
  expect(ran).toEqual(['draft']);
  expect(await app.invoke(null as never, config)).toBe('20 characters sent: wrong');
  expect(ran).toEqual(['draft', 'code behind the draft', 'send']);
  expect(closes()).toEqual(['halted', 'completed']);
});

test('recover: the workflow is done again from its start, finished tasks too', async () => {
  const ran: string[] = [];
  const { runtime } = recovering();
  expect(await withAuditor(workflow(ran, 1), runtime).invoke('pumps', config)).toBe(
    '20 characters sent: right',
  );
  expect(ran).toEqual(['draft', 'draft', 'code behind the draft', 'send']);
});
