import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { locateJsonFault } from '../../../collectors/importers/json-fault.js';
import { parseJson } from '../../../collectors/importers/parse-json.js';
import { InputError } from '../../../core/index.js';

describe('locateJsonFault', () => {
  test.each([
    ['{"a": }', 6],
    ['{"a": 1,}', 8],
    ['[1 2]', 3],
    ['[1,', 3],
    ['"open', 5],
    ['"a\nb"', 2],
    ['"\\x"', 1],
    ['{"a": 1} x', 9],
    ['{a: 1}', 1],
    ['01', 1],
    ['nul', 0],
    ['', 0],
  ])('%j stops being JSON at %i', (text, offset) => {
    expect(locateJsonFault(text)).toBe(offset);
  });

  test('finds a fault exactly where JSON.parse does', () => {
    const broken = fc
      .tuple(
        fc.json(),
        fc.nat(),
        fc.constantFrom('', '"', '{', ']', ',', ':', '\\', 'x', '0', '-', '\n', ' '),
      )
      .map(([text, at, put]) => {
        const position = at % (text.length + 1);
        return text.slice(0, position) + put + text.slice(position + 1);
      });
    fc.assert(
      fc.property(broken, (text) => {
        expect(locateJsonFault(text) === undefined).toBe(isJson(text));
      }),
      { numRuns: 3000 },
    );
  });

  test('survives nesting that no recursion does', () => {
    const depth = 1_000_000;
    expect(locateJsonFault('['.repeat(depth))).toBe(depth);
  });
});

test('parseJson gives line and column', () => {
  const parse = () => parseJson('run.json', '{\n  "a": oops\n}');
  expect(parse).toThrow(InputError);
  expect(parse).toThrow('run.json:2: no JSON from here on: "oops\\n}" (column 8). Repair that line');
  expect(() => parseJson('run.json', '{"a": [1')).toThrow('run.json:1: the JSON ends too early (column 9)');
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
