import { expect, test, vi } from 'vitest';
import type { Turn } from '../../../core/index.js';
import { ScriptedAuditor } from '../../../core/testing/index.js';
import { auditHalt, withAuditor } from '../../../plugins/mastra/index.js';
import { audited } from '../../support/agent-runs.js';
import { agentThat, call, toolThat } from '../../support/mastra-agents.js';
import { outcomes } from '../../support/mastra-audits.js';

vi.spyOn(console, 'warn').mockImplementation(() => {});

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What happens, in order, in a run whose verdicts take their time; `answer` is what the first tool says. */
async function logOf(gating: 'block' | 'overlap', answer = 'fine') {
  const log: string[] = [];
  const tools = Object.fromEntries(
    ['one', 'two'].map((name) => [
      name,
      toolThat(name, () => {
        log.push(`${name} runs`);
        return name === 'one' ? answer : 'fine';
      }),
    ]),
  );
  const agent = agentThat(
    'solver',
    (_prompt, at) => {
      log.push(`model ${at}`);
      return [{ calls: [call('one')] }, { calls: [call('two')] }, { text: 'done' }][at] as object;
    },
    { tools },
  );
  const auditor = new ScriptedAuditor([], async ({ prefix }: { prefix: { newest: Turn } }) => {
    const { kind, content, index, agent: who } = prefix.newest;
    await wait(20);
    log.push(`judged ${kind}`);
    return content === 'wrong'
      ? { kind: 'alarm', step: index, agent: who, reason: 'it is wrong' }
      : { kind: 'continue' };
  });
  const audit = audited({ auditor, gating });
  const result = await withAuditor(agent, audit.runtime).generate('?');
  return { log, result, audit };
}

test('under overlap the next model call runs while a tool’s answer is judged; its tools wait', async () => {
  const { log } = await logOf('overlap');
  expect(log.indexOf('model 1')).toBeLessThan(log.indexOf('judged tool'));
  expect(log.indexOf('judged tool')).toBeLessThan(log.indexOf('two runs'));
  expect(log.at(-1)).toBe('judged agent');
});

test('an alarm lets the same tools run under both', async () => {
  for (const gating of ['block', 'overlap'] as const) {
    const { log, result } = await logOf(gating, 'wrong');
    expect(log.filter((line) => line.endsWith('runs'))).toEqual(['one runs']);
    expect(auditHalt(result)?.alarm).toMatchObject({ step: 2, agent: 'solver' });
  }
});

test('observe: an alarm leaves the run alone', async () => {
  const auditor = new ScriptedAuditor([], { kind: 'alarm', step: 1, agent: 'solver', reason: 'it is wrong' });
  const audit = audited({ auditor, onAlarm: 'observe' });
  const result = await withAuditor(agentThat('solver', [{ text: 'done' }]), audit.runtime).generate('?');
  expect([result.text, auditHalt(result), outcomes(audit)]).toEqual(['done', undefined, ['completed']]);
});
