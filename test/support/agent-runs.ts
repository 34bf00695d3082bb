import {
  AgentRun,
  type AgentRunOptions,
  type AuditRecord,
  createRuntime,
  memoryRecorder,
  type RuntimeOptions,
} from '../../core/index.js';
import { approvingAuditor, proceed, ScriptedAuditor, type ScriptedReply } from '../../core/testing/index.js';

/** A run of a host that is played by hand, and all that it leaves in the log. */
export function audited(options: RuntimeOptions = {}, runOptions: Partial<AgentRunOptions> = {}) {
  const recorder = memoryRecorder();
  const faults: string[] = [];
  const auditor = options.auditor ?? approvingAuditor();
  const diagnostics = { report: ({ code }: { code: string }) => faults.push(code) };
  const runtime = createRuntime({ recorder, diagnostics, ...options, auditor });
  const run = new AgentRun(runtime, { framework: 'test', ...runOptions });
  const turns = () => recorder.records.flatMap((record) => (record.type === 'turn' ? [record.turn] : []));
  const of = <Type extends AuditRecord['type']>(type: Type) =>
    recorder.records.filter((record): record is Extract<AuditRecord, { type: Type }> => record.type === type);
  return { run, runtime, recorder, faults, turns, of };
}

/** An auditor that blames the turn it judges when it says `wrong`. */
export const strict = () =>
  new ScriptedAuditor([], (({
    prefix,
  }: {
    prefix: { newest: { index: number; agent: string; content: string } };
  }) =>
    prefix.newest.content.includes('wrong')
      ? { kind: 'alarm', step: prefix.newest.index, agent: prefix.newest.agent, reason: 'it is wrong' }
      : proceed) as ScriptedReply);

export const says = (content: string) => () => ({ content });
export const calls =
  (...ids: string[]) =>
  () => ({
    content: '',
    toolCalls: ids.map((id) => ({ id, name: `tool-${id}`, args: {} })),
  });
