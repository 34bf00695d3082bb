import type { RunStart } from '../../core/index.js';
import { givenTurns, isPart, type Part, partsOf, textIn } from './messages.js';
import { toTools } from './to-turn.js';

/** What the arguments of a call say of the run that it begins. */
export interface RunInput {
  readonly start: Partial<RunStart>;
  readonly messages: readonly unknown[];
  readonly signal: AbortSignal | undefined;
}

/** Arguments of the SDK's functions and agents, or of a function of the user's: a task, options with a prompt, messages. */
export function readInput(args: readonly unknown[]): RunInput {
  const [first] = args;
  const signal = args.filter(isPart).map(signalIn).find(Boolean);
  if (typeof first === 'string') return { start: { task: first }, messages: [], signal };
  if (!isPart(first)) return { start: {}, messages: [], signal };
  const { prompt, messages = prompt } = first;
  if (typeof messages === 'string') return { start: { task: messages }, messages: [], signal };
  if (!Array.isArray(messages)) return { start: {}, messages: [], signal };
  return { start: startFrom({ messages }), messages, signal };
}

/** The newest word of the user is the task; what stands before and after it was there already. */
export function startFrom({ messages, prompt, tools }: Part): RunStart {
  const conversation = Array.isArray(messages) ? messages : [{ role: 'user', content: prompt }];
  const newest = conversation.findLast((message) => isPart(message) && message['role'] === 'user');
  return {
    task: isPart(newest) ? textIn(partsOf(newest)) : '',
    given: givenTurns(conversation),
    tools: toTools(tools),
  };
}

/** What a user has said since the model spoke last: all that a run which is taken up has not heard yet. */
export function saidSince(messages: readonly unknown[]) {
  const last = messages.findLastIndex((message) => isPart(message) && message['role'] === 'assistant');
  return givenTurns(messages.slice(last + 1)).filter(({ kind }) => kind === 'user');
}

function signalIn({ abortSignal, signal }: Part): AbortSignal | undefined {
  return [abortSignal, signal].find((value) => value instanceof AbortSignal);
}
