import { expect } from 'vitest';
import type { RecordedRun } from '../../../collectors/recorded-run.js';
import type { TurnInput } from '../../../core/index.js';

/**
 * The round trip of an import: every text, call and result of the file stands whole in exactly one turn, and in this order.
 * @param texts a call as `"call_1 stock"`, its result as `"call_1 = 351"`
 */
export function expectToldOnce({ turns }: RecordedRun, texts: readonly string[]): void {
  const places = texts.map((text) => {
    const steps = turns.flatMap((turn, step) => (saysIt(turn, text) ? [step] : []));
    expect(steps, text).toHaveLength(1);
    return steps[0] as number;
  });
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  // Nor does it say anything that is not in the file.
  const others = turns.filter((turn) => !texts.some((text) => saysIt(turn, text)));
  expect(others).toEqual([]);
}

function saysIt({ kind, content, thought, toolCalls = [], toolCallId }: TurnInput, text: string): boolean {
  const words = kind === 'tool' && toolCallId !== undefined ? `${toolCallId} = ${content}` : content;
  return [words, thought, ...toolCalls.map(({ id, name }) => `${id} ${name}`)].includes(text);
}
