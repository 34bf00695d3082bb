import { describe, expect, test, vi } from 'vitest';
import {
  AuditHalt,
  createRuntime,
  type Diagnostic,
  memoryRecorder,
  SetupError,
} from '../../../core/index.js';
import { proceed, ScriptedAuditor, type ScriptedReply } from '../../../core/testing/index.js';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import { plainGraph, task } from '../../support/langgraph-teams.js';

vi.spyOn(console, 'error').mockImplementation(() => {});

const failures: [string, ScriptedReply, string][] = [
  ['throws', new Error('the model server is down'), 'threw'],
  ['rejects', () => Promise.reject(new Error('connection reset')), 'threw'],
  ['hangs past its deadline', () => new Promise(() => {}), 'deadline'],
  ['answers with text', 'SAFE', 'invalid'],
  ['answers with null', () => null, 'invalid'],
  ['names a step that is not there yet', { kind: 'alarm', step: 9, agent: 'plan', reason: 'x' }, 'invalid'],
  ['names an agent that has not spoken', { kind: 'alarm', step: 1, agent: 'verify', reason: 'x' }, 'invalid'],
  ['answers with a score that is none', { kind: 'continue', score: Number.NaN }, 'invalid'],
];

describe.each(failures)('an auditor that %s', (_what, reply, kind) => {
  async function run(onAuditFailure: 'proceed' | 'halt') {
    const recorder = memoryRecorder();
    const told: Diagnostic[] = [];
    const runtime = createRuntime({
      auditor: new ScriptedAuditor([reply], proceed),
      recorder,
      onAuditFailure,
      deadlineMs: 50,
      diagnostics: { report: (diagnostic) => void told.push(diagnostic) },
    });
    const graph = withAuditor(plainGraph({ ran: [] }), runtime);
    const result = await graph.invoke(task).catch((error: unknown) => error);
    return { result, told, records: recorder.records };
  }

  test('leaves the host unharmed, and one failure record where no Continue may stand', async () => {
    const { result, records, told } = await run('proceed');
    expect(result).toMatchObject({ messages: { length: 4 } });
    const first = records.find((record) => record.type === 'turn' && record.turn.index === 1);
    const failed = records.filter((record) => record.type === 'failure');
    expect(failed).toMatchObject([{ step: 1, failure: { kind }, enforced: 'proceed' }]);
    const judgedTurns = records.flatMap((record) => (record.type === 'verdict' ? [record.turnId] : []));
    expect(judgedTurns).not.toContain(first?.type === 'turn' && first.turn.id);
    expect(judgedTurns).toHaveLength(2);
    expect(told.map(({ code }) => code)).toEqual([`audit-failure-${kind}`]);
  });

  test('stops the run where the user asked for it, with a halt that claims no alarm', async () => {
    const { result } = await run('halt');
    expect(result).toBeInstanceOf(AuditHalt);
    expect((result as AuditHalt).alarm).toBeUndefined();
    expect((result as AuditHalt).failure).toMatchObject({ step: 1, failure: { kind } });
    expect((result as AuditHalt).message).toMatch(`the audit of step 1 failed (${kind}): `);
  });
});

describe('set-up faults are thrown at once, with the remedy', () => {
  const runtime = createRuntime();

  test('an uncompiled graph', () => {
    const builder = { compile: () => undefined } as never;
    expect(() => withAuditor(builder, runtime)).toThrow(SetupError);
    expect(() => withAuditor(builder, runtime)).toThrow(
      '[agentforesight] [langgraph] the graph is not compiled. Pass graph.compile().',
    );
  });

  test('something that is no graph', () => {
    expect(() => withAuditor(undefined as never, runtime)).toThrow(
      '[agentforesight] [langgraph] this is no graph.',
    );
  });
});
