import { Command, type Interrupt, isCommand, type StateSnapshot } from '@langchain/langgraph';
import { type AlarmQuestion, isAlarmQuestion } from './alarm-interrupt.js';
import { type EarlierRun, overriding } from './earlier-run.js';
import type { StandingPause } from './invocation.js';

/** A call that takes a thread up, once it is clear what it answers. */
interface Answered {
  readonly input: unknown;
  readonly earlier: EarlierRun | undefined;
  readonly standing: StandingPause | undefined;
}

/** An interrupt of ours, as the checkpoint keeps it. */
interface AlarmInterruptSaved {
  readonly id: string;
  readonly value: AlarmQuestion;
}

/**
 * Sorts a human's answer to the questions that a thread waits with. LangGraph gives a plain answer to whichever
 * `interrupt()` comes first, which after our pause may be a later one that asks something else altogether. Here it goes
 * to the host's own question, if one is pending, or else counts as the answer to ours.
 *
 * Resuming overrides the alarm, in whatever form, except by a map of answers that leaves ours out: then the run goes on
 * where the answers belong, and stays paused where it is.
 */
export function answered(input: unknown, state: StateSnapshot, earlier: EarlierRun | undefined): Answered {
  // LangGraph keeps the questions of tasks that have been answered, and finished.
  const pending = state.tasks.flatMap(({ interrupts, result }) => (result === undefined ? interrupts : []));
  const ours = pending.find((interrupt) => isOurs(interrupt) && !isOverridden(interrupt, earlier));
  if (!ours || !isOurs(ours)) return { input, earlier: earlier && overriding(earlier), standing: undefined };
  const answer: unknown = isCommand(input) ? input.resume : undefined;
  if (isAnswerMap(answer) && !(ours.id in answer))
    return { input, earlier, standing: standingPause(ours, state, answer) };
  const isPlain = answer !== undefined && answer !== null && !isAnswerMap(answer);
  const theirs = pending.filter((interrupt) => !isOurs(interrupt));
  return {
    input: isPlain ? directed(input as Command, theirs, ours) : input,
    earlier: earlier && overriding(earlier, blamedId(earlier, ours.value)),
    standing: undefined,
  };
}

function isOverridden({ value }: AlarmInterruptSaved, earlier: EarlierRun | undefined): boolean {
  return earlier?.overridden.includes(value.turnId) ?? false;
}

function isOurs(interrupt: Interrupt): interrupt is AlarmInterruptSaved {
  return interrupt.id !== undefined && isAlarmQuestion(interrupt.value);
}

/** LangGraph takes an object for a map of answers when all its keys look like ids of interrupts. */
function isAnswerMap(answer: unknown): answer is Readonly<Record<string, unknown>> {
  if (typeof answer !== 'object' || answer === null) return false;
  const keys = Object.keys(answer);
  return keys.length > 0 && keys.every((key) => /^[0-9a-f]{32}$/.test(key));
}

/** Several questions of the host, and one plain answer: LangGraph's own rule decides. */
function directed(command: Command, theirs: readonly Interrupt[], ours: AlarmInterruptSaved): Command {
  const [question, another] = theirs;
  if (another) return command;
  const { resume, update, goto } = command;
  const fields = { ...(update === undefined ? {} : { update }), ...(goto === undefined ? {} : { goto }) };
  return new Command({ ...fields, resume: { [question?.id ?? ours.id]: resume } });
}

function standingPause(
  { id, value }: AlarmInterruptSaved,
  { tasks }: StateSnapshot,
  answers: Readonly<Record<string, unknown>>,
): StandingPause {
  const goOn = tasks.filter(({ interrupts }) =>
    interrupts.some((interrupt) => interrupt.id !== undefined && interrupt.id in answers),
  );
  const namespaces = new Set(goOn.map((task) => `${task.name}:${task.id}`));
  return { interruptId: id, question: value, answered: namespaces };
}

/** A past that was read from checkpoints has other ids: there the step tells which turn is meant. */
function blamedId({ turns }: EarlierRun, { turnId, step }: AlarmQuestion): string | undefined {
  return turns.some(({ id }) => id === turnId) ? turnId : turns[step]?.id;
}
