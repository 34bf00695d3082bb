import { randomUUID } from 'node:crypto';
import { messageOf } from './diagnostics.js';
import { readPlainTurn } from './read-plain-turn.js';
import { type TurnInput, turnInputSchema } from './turn.js';
import { turnPathSchema } from './turn-path.js';

/** A turn, or what stands in for something that is none, and why it is none. */
export interface ReadTurn {
  readonly turn: TurnInput;
  readonly fault?: string;
}

/**
 * Checks what a plugin submitted. A faulty turn is kept as far as it can be read, and in its own place if it names one,
 * so that the log shows it and the turns around it keep their order. Never throws.
 * @param toText the redacted JSON text of the whole input
 */
export function readTurn(input: unknown, toText: (input: unknown) => string): ReadTurn {
  try {
    const plain = readPlainTurn(input);
    if (plain) return { turn: plain };
    const parsed = turnInputSchema.safeParse(input);
    if (parsed.success) return { turn: parsed.data };
    const [issue] = parsed.error.issues;
    return {
      turn: { ...standIn(toText(input)), path: pathOf(input) },
      fault: `${issue?.path.join('.') || 'turn'}: ${issue?.message}`,
    };
  } catch (cause) {
    // A property that throws when it is read.
    return { turn: standIn(toText(input)), fault: messageOf(cause) };
  }
}

function standIn(content: string): TurnInput {
  return { id: `unreadable-${randomUUID()}`, agent: 'unknown', kind: 'state', content };
}

function pathOf(input: unknown): TurnInput['path'] {
  const path = typeof input === 'object' && input !== null && 'path' in input ? input.path : undefined;
  return turnPathSchema.safeParse(path).data;
}
