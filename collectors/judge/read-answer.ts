import type { z } from 'zod';
import type { JudgeReply } from './judge.js';

/**
 * The answer in a model's reply: the last JSON value that the schema takes, whatever stands around it, be it thoughts, a
 * fence or an apology. The last, since a model that reasons aloud quotes what it has read before it answers.
 */
export function readAnswer<Answer>(text: string, schema: z.ZodType<Answer>): JudgeReply<Answer> {
  let fault = 'there is no JSON in the reply';
  for (const value of jsonValues(text).toReversed()) {
    const { success, data, error } = schema.safeParse(value);
    if (success) return { answer: data };
    const [issue] = error.issues;
    fault = `${issue?.path.join('.') || 'the answer'}: ${issue?.message}`;
  }
  return { failure: { kind: 'nonsense', message: fault } };
}

/** A reply has some thousand characters; many brackets that never close would take time quadratic in them. */
const MOST_STARTS = 256;

/** The objects and arrays of a text, outermost ones only, or else the one value that it is. */
function jsonValues(text: string): readonly unknown[] {
  const found: unknown[] = [];
  let starts = 0;
  for (let at = 0; at < text.length && starts < MOST_STARTS; at++) {
    if (text[at] !== '{' && text[at] !== '[') continue;
    starts++;
    const end = endOfValue(text, at);
    const value = end === undefined ? undefined : parsed(text.slice(at, end));
    if (value === undefined || end === undefined) continue;
    found.push(value);
    at = end - 1;
  }
  if (found.length > 0) return found;
  const whole = parsed(text);
  return whole === undefined ? [] : [whole];
}

/** Behind the bracket that closes the one at `start`. */
function endOfValue(text: string, start: number): number | undefined {
  let depth = 0;
  let isInString = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (isInString) {
      if (character === '\\') at++;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1;
  }
  return undefined;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
