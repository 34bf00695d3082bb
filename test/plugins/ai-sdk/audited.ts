import { jsonSchema, tool } from 'ai';
import {
  type AuditRecord,
  createRuntime,
  type Diagnostic,
  memoryRecorder,
  type RuntimeOptions,
  type Turn,
} from '../../../core/index.js';
import {
  approvingAuditor,
  proceed,
  ScriptedAuditor,
  type ScriptedReply,
} from '../../../core/testing/index.js';

/** A runtime, and all that it leaves in the log. Every turn is judged unless the test says otherwise. */
export function watched(options: RuntimeOptions = {}) {
  const recorder = memoryRecorder();
  const faults: Diagnostic[] = [];
  const runtime = createRuntime({
    auditor: approvingAuditor(),
    schedule: { due: () => true },
    recorder,
    diagnostics: { report: (fault) => void faults.push(fault) },
    ...options,
  });
  const of = <Type extends AuditRecord['type']>(type: Type) =>
    recorder.records.filter((record): record is Extract<AuditRecord, { type: Type }> => record.type === type);
  const turns = () => of('turn').map(({ turn }) => turn);
  return {
    runtime,
    faults,
    of,
    turns,
    /** Who said what. */
    told: () => turns().map(({ agent, kind, content }) => `${agent}, ${kind}: ${content}`),
    outcomes: () => of('close').map(({ outcome }) => outcome.status),
  };
}

/** Blames the turn it judges when that says `wrong`, or calls a tool of this name. */
export const strict = (wait: () => Promise<unknown> = async () => {}) =>
  new ScriptedAuditor([], (async ({ prefix }: { prefix: { newest: Turn } }) => {
    const { index, agent, content, toolCalls = [] } = prefix.newest;
    await wait();
    return content.includes('wrong') || toolCalls.some(({ name }) => name === 'wrong')
      ? { kind: 'alarm', step: index, agent, reason: 'it is wrong' }
      : proceed;
  }) as ScriptedReply);

/** A tool that notes when it runs. */
export const noting = (ran: string[], name: string, execute: () => unknown = () => `${name} done`) =>
  tool({
    description: `does ${name}`,
    inputSchema: jsonSchema<object>({ type: 'object' }),
    execute: async (): Promise<unknown> => {
      ran.push(name);
      return execute();
    },
  });

/** What a promise comes to, as an error. */
export const errorOf = (promise: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(promise).then(
    (value) => new Error(`it was to reject, but gave ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
