import {
  AuditHalt,
  type Auditor,
  type AuditRequest,
  createRuntime,
  everyTurn,
  type Turn,
  type Verdict,
} from '../../core/index.js';
import { type LangGraphHost, withAuditor } from '../../plugins/langgraph/index.js';
import { pause } from './graphs.js';

/** Returns a graph's audited twin. */
export type Hook = <Host extends LangGraphHost>(graph: Host) => Host;

/**
 * Builds a graph that notes in `ran` whatever runs in it, hooks it, and drives it to its end. A note `end …` stands where
 * code that has begun comes to its own end, which no halt can prevent.
 */
export type Drive = (ran: string[], hook: Hook) => Promise<unknown>;

/** A run in which one turn was said to be wrong. */
export interface AlarmedRun {
  readonly blamed: Turn;
  /** What ran while the auditor thought about the blamed turn. */
  readonly meanwhile: readonly string[];
  /** What ran after the alarm: until the run's end, and for a while after it. */
  readonly after: readonly string[];
  /** What the run rejected with, if it did. */
  readonly error: unknown;
}

/** Verdicts take time; what does not wait for them runs meanwhile, and shows. In milliseconds. */
const AUDIT = 4;
/** How long after a run's end something may still start and be noticed. */
const AFTERMATH = 50;

/**
 * Runs a graph once without an alarm, and then once for every turn of that run, with the alarm there.
 *
 * @param identity tells the turns of a run apart, where their ids depend on which branch was quicker
 */
export async function alarmAtEveryTurn(
  drive: Drive,
  identity: (turn: Turn) => string = ({ id }) => id,
): Promise<readonly AlarmedRun[]> {
  const turns: Turn[] = [];
  await drive([], (graph) =>
    hooked(graph, ({ prefix }) => {
      turns.push(prefix.newest);
      return { kind: 'continue' };
    }),
  );
  return Promise.all(turns.map((turn) => alarmedRun(drive, turn, identity)));
}

/**
 * One line for each run in which something ran that should have waited for the verdict or not run at all, or that did not
 * end in the halt.
 *
 * @param beside whether an event stands side by side with the blamed turn, and so need not wait for the verdict on it
 */
export function offences(
  runs: readonly AlarmedRun[],
  beside: (event: string, blamed: Turn) => boolean = () => false,
): string[] {
  return runs.flatMap(({ blamed, meanwhile, after, error }) => {
    const early = meanwhile.filter((event) => !beside(event, blamed));
    const late = after.filter((event) => !event.startsWith('end '));
    const halted = error instanceof AuditHalt && error.alarm?.reason === nameOf(blamed);
    return [
      ...early.map((event) => `${event}, before the verdict on ${nameOf(blamed)}`),
      ...late.map((event) => `${event}, after the alarm on ${nameOf(blamed)}`),
      ...(halted ? [] : [`the alarm on ${nameOf(blamed)} ended in ${String(error)}`]),
    ];
  });
}

/** `boss: I ask [ask] [ask]` */
export function nameOf({ agent, content, toolCalls }: Turn): string {
  const calls = toolCalls?.map(({ name }) => `[${name}]`) ?? [];
  return [`${agent}:`, content, ...calls].filter((part) => part !== '').join(' ');
}

async function alarmedRun(drive: Drive, blamed: Turn, identity: (turn: Turn) => string): Promise<AlarmedRun> {
  const ran: string[] = [];
  let asked = 0;
  let told = 0;
  const audit = async ({ prefix }: AuditRequest): Promise<Verdict> => {
    const { index, agent } = prefix.newest;
    const isBlamed = identity(prefix.newest) === identity(blamed);
    if (isBlamed) asked = ran.length;
    await pause(AUDIT);
    if (!isBlamed) return { kind: 'continue' };
    told = ran.length;
    return { kind: 'alarm', step: index, agent, reason: nameOf(blamed) };
  };
  const error = await drive(ran, (graph) => hooked(graph, audit)).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  await pause(AFTERMATH);
  return { blamed, meanwhile: ran.slice(asked, told), after: ran.slice(told), error };
}

function hooked<Host extends LangGraphHost>(graph: Host, audit: Auditor['audit']): Host {
  return withAuditor(graph, createRuntime({ auditor: { audit }, schedule: everyTurn() }));
}
