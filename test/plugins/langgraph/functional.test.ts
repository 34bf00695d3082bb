import { entrypoint, task } from '@langchain/langgraph';
import { describe, expect, test, vi } from 'vitest';
import { AuditHalt, createRuntime } from '../../../core/index.js';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import { watching, wrongSpotter } from '../../support/graphs.js';

vi.spyOn(console, 'error').mockImplementation(() => {});

describe('functional API', () => {
  const flow = (ran: string[], wrong: string) => {
    const step = (name: string) =>
      task(name, async (text: string) => {
        ran.push(name);
        return `${text} ${name}${name === wrong ? ' WRONG' : ''}`;
      });
    const [first, second, third] = [step('first'), step('second'), step('third')];
    return entrypoint('flow', async (text: string) => third(await second(await first(text))));
  };

  test('tasks that follow one another see, and wait for, one another', async () => {
    const ran: string[] = [];
    const { runtime, auditor } = watching();
    await withAuditor(flow(ran, ''), runtime).invoke('go');
    expect(auditor.requests.map(({ turns }) => turns.map(({ agent }) => agent))).toEqual([
      ['user', 'first'],
      ['user', 'first', 'second'],
      ['user', 'first', 'second', 'third'],
      ['user', 'first', 'second', 'third', 'flow'],
    ]);
  });

  test('lists that tasks return are told as they are', async () => {
    const numbers = task('numbers', async () => [1, 2]);
    const words = task('words', async () => ['a', 'b']);
    const flow = entrypoint('flow', async (_: string) => (await numbers()).length + (await words()).length);
    const { runtime, told } = watching();
    await withAuditor(flow, runtime).invoke('go');
    expect(told()).toEqual(['user: go', 'numbers: [1,2]', 'words: ["a","b"]', 'flow: 4']);
  });

  test('the code behind a task waits for the verdict on it', async () => {
    const ran: string[] = [];
    const say = task('say', async () => 'WRONG');
    const mail = entrypoint('flow', async (_: string) => {
      await say();
      ran.push('mail');
      return 'sent';
    });
    const app = withAuditor(mail, createRuntime({ auditor: wrongSpotter(20) }));
    await expect(app.invoke('go')).rejects.toBeInstanceOf(AuditHalt);
    expect(ran).toEqual([]);
  });

  test.each(['first', 'second'])('an alarm on %s stops the next', async (wrong) => {
    const ran: string[] = [];
    const app = withAuditor(flow(ran, wrong), createRuntime({ auditor: wrongSpotter(20) }));
    await expect(app.invoke('go')).rejects.toBeInstanceOf(AuditHalt);
    expect(ran.at(-1)).toBe(wrong);
  });
});
