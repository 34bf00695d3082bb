import { isCommand } from '@langchain/langgraph';
import { type TurnInput, toJsonValue } from '../../core/index.js';

/** `invoke(null)` and `invoke(new Command(…))` take a thread up; anything else begins anew. */
export function isResume(input: unknown): boolean {
  if (input === null || input === undefined || isCommand(input)) return true;
  return (
    typeof input === 'object' && 'input' in input && input.input === null && Object.keys(input).length === 1
  );
}

export function messagesOf(state: unknown): readonly unknown[] {
  if (typeof state !== 'object' || state === null || !('messages' in state)) return [];
  return [state.messages ?? []].flat();
}

/** Fields in which graphs without messages usually keep their task. */
const TASK_FIELDS = ['task', 'question', 'query', 'input', 'prompt', 'goal', 'topic'];

/** What a graph without messages is asked to do. */
export function taskOf(input: unknown): string {
  if (typeof input === 'string') return input;
  if (typeof input !== 'object' || input === null) return '';
  const fields = input as Record<string, unknown>;
  const named = TASK_FIELDS.map((field) => fields[field]).find(
    (value) => typeof value === 'string' && value !== '',
  );
  return typeof named === 'string' ? named : JSON.stringify(toJsonValue(input));
}

/** The turns that a run begins with: turn 0 is the task, also where the graph was given other messages only. */
export function givenTurns(told: readonly TurnInput[], task: string): { given?: readonly TurnInput[] } {
  if (told.length === 0) return {};
  const first: TurnInput = { agent: 'user', kind: 'user', content: task };
  return { given: told.some((turn) => turn.kind === 'user') || task === '' ? told : [first, ...told] };
}
