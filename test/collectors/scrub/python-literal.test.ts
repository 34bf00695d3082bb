import { expect, test } from 'vitest';
import { parsePythonLiteral } from '../../../collectors/scrub/python-literal.js';

test.each([
  [
    "[{'name': 'run_tests', 'ok': True, 'n': -1.5e3, 'none': None}]",
    [{ name: 'run_tests', ok: true, n: -1500, none: null }],
  ],
  ["('a', [], {}, (1,), )", ['a', [], {}, [1]]],
  [`{'it\\'s': "say \\"x\\"\\n\\t\\x41\\u00e9\\\\"}`, { "it's": 'say "x"\n\tAé\\' }],
  ["'\\d stays'", '\\d stays'],
])('%s', (text, value) => {
  expect(parsePythonLiteral(text)).toEqual(value);
});

test.each([
  '[ThoughtEvent]',
  "{'a': 1",
  "['a' 'b']",
  '{1: 2}',
  "'a",
  "'a\nb'",
  '[1] + [2]',
  "f('x')",
  '',
  `${'['.repeat(5000)}`,
])('%s is none', (text) => {
  expect(parsePythonLiteral(text)).toBeUndefined();
});
