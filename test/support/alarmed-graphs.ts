import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import {
  END,
  INTERRUPT,
  isInterrupted,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from '@langchain/langgraph';
import type { Auditor, AuditRequest } from '../../core/auditor.js';
import {
  createRuntime,
  type Diagnostic,
  everyTurn,
  memoryRecorder,
  type RuntimeOptions,
} from '../../core/index.js';
import type { ScriptedAuditor } from '../../core/testing/index.js';
import { type inARow, wrongSpotter } from './graphs.js';

export function pausing(options: RuntimeOptions = {}) {
  const auditor = wrongSpotter();
  const recorder = memoryRecorder();
  const runtime = createRuntime({ auditor, recorder, onAlarm: 'pause', ...options });
  const closes = () =>
    recorder.records.flatMap((record) => (record.type === 'close' ? [record.outcome.status] : []));
  const enforced = () =>
    recorder.records.flatMap((record) => (record.type === 'verdict' ? [record.enforced] : []));
  return { auditor, recorder, runtime, closes, enforced };
}

export interface Asked {
  readonly id: string;
  readonly value: unknown;
}

export function questions(result: unknown): Asked[] {
  return isInterrupted(result) ? (result[INTERRUPT] as Asked[]) : [];
}

export function recovering(options: RuntimeOptions = {}) {
  const auditor = wrongSpotter();
  const recorder = memoryRecorder();
  const told: Diagnostic[] = [];
  const runtime = createRuntime({
    auditor,
    recorder,
    onAlarm: 'recover',
    diagnostics: { report: (diagnostic) => void told.push(diagnostic) },
    ...options,
  });
  const of = <Type extends string>(type: Type) => recorder.records.filter((record) => record.type === type);
  return { auditor, recorder, runtime, told, of };
}

/** Says WRONG as often as it is told to, and notes what it was given. */
export function stumbling(id: string, times: number, given: BaseMessage[][] = []) {
  let left = times;
  let tries = 0;
  return async ({ messages }: { messages: BaseMessage[] }) => {
    given.push(messages);
    tries++;
    const content = left-- > 0 ? `${id} is WRONG` : `${id} is right`;
    return { messages: [new AIMessage({ id: `${id}-${tries}`, content })] };
  };
}

export function chain(
  nodes: Record<string, (state: { messages: BaseMessage[] }) => Promise<object>>,
  options: object = {},
) {
  const builder = new StateGraph(MessagesAnnotation) as unknown as {
    addNode(name: string, work: unknown): unknown;
    addEdge(from: string, to: string): unknown;
    compile(options: unknown): ReturnType<typeof inARow>;
  };
  const names = Object.keys(nodes);
  for (const [name, work] of Object.entries(nodes)) builder.addNode(name, work);
  for (const [i, name] of names.entries()) builder.addEdge(names[i - 1] ?? START, name);
  builder.addEdge(names.at(-1) as string, END);
  return builder.compile({ checkpointer: new MemorySaver(), ...options });
}

/** How the hint begins that a blamed step is done again with. */
export const HINT = /^An auditor reviewed this step and found it wrong: says WRONG\n/;

export const contents = (messages: readonly { content: unknown }[]) =>
  messages.map(({ content }) => String(content));

/** An auditor that names the step it blames, at every turn, or none. */
export const spotting = (blame: (request: AuditRequest) => number | undefined): Auditor => ({
  schedule: everyTurn(),
  audit: (request) => {
    const step = blame(request);
    return step === undefined
      ? { kind: 'continue' }
      : { kind: 'alarm', step, agent: request.prefix.at(step)?.agent ?? '', reason: 'not good' };
  },
});

/** A node that says one thing. */
export const says = (id: string, content: string) => async () => ({
  messages: [new AIMessage({ id, content })],
});

/** What the auditor was shown last. */
export const told = (auditor: ScriptedAuditor) =>
  auditor.requests.at(-1)?.turns.map(({ content }) => content);
