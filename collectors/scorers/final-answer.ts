import type { SampleTurn } from '../sample.js';
import { lastBoxed } from './bracketed.js';

/** How agents announce their answer: `ANSWER_VERIFIED: 12`, `FINAL ANSWER: 12`, `The final answer is 12.` */
const ANNOUNCED = /(?:ANSWER[_ ]VERIFIED|FINAL[_ ]ANSWER(?:\s+is)?|answer\s+is)\s*[:=]?\s*(.+)/gi;

/** smolagents, when its code has called `final_answer`. */
const LAST_OUTPUT = /Last output from code snippet:\s*(.+)$/s;

const CALLS = ['final_answer', 'submit', 'answer'];

/**
 * The answer that a run ends with: the argument of a call such as `final_answer`, what is announced as the answer, what is
 * boxed, and else the whole last word. The last turn that says something counts.
 */
export function finalAnswer(turns: readonly SampleTurn[]): string | undefined {
  for (const turn of turns.toReversed()) {
    if (turn.kind === 'user') continue;
    const said = submitted(turn) ?? spoken(turn.content) ?? spoken(turn.thought ?? '');
    if (said !== undefined) return said;
  }
  return undefined;
}

function submitted({ toolCalls = [] }: SampleTurn): string | undefined {
  const call = toolCalls.findLast(({ name }) => CALLS.includes(name));
  if (!call) return undefined;
  const { args } = call;
  if (typeof args !== 'object' || args === null) return args === null ? undefined : String(args);
  const [first] = Object.values(args);
  return first === undefined ? undefined : typeof first === 'string' ? first : JSON.stringify(first);
}

function spoken(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const output = LAST_OUTPUT.exec(text)?.[1];
  const whole = output ?? text;
  const announced = [...whole.matchAll(ANNOUNCED)].at(-1)?.[1];
  return (announced && lastBoxed(announced)) || announced?.trim() || lastBoxed(whole) || whole.trim();
}
