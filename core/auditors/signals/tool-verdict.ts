import { endsOf } from '../../reading/ends-of.js';
import type { ToolResult } from '../../reading/tool-results.js';

/** A test runner, a checker or a terminal says this of itself: `ALL_TESTS_PASSED`, `exitcode: 0 (execution succeeded)`. */
const PASS =
  /\b(?:ALL_)?TESTS_PASSED\b|\bVERIFIED_CORRECT\b|\b[Aa]ll (?:\d{1,6} )?(?:tests?|checks?|assertions?)(?: cases?)? (?:have |has )?pass(?:ed)?\b|^\s{0,20}[Ee]xit ?code:? 0\b|\b[1-9]\d{0,5} passed\b/;
const FAIL =
  /\bTESTS?_FAILED\b|\bVERIFIED_(?:WRONG|INCORRECT)\b|^Traceback \(most recent call last\)|\b[Ee]xit ?code:? -?[1-9]\d{0,2}\b|\b[1-9]\d{0,5} (?:tests? )?failed\b/m;

const READ_AT_EACH_END = 4_000;

export type ToolVerdict = 'pass' | 'fail' | undefined;

/** Whether a tool says of itself that what it tried worked. Undefined for tools that judge nothing. */
export function toolVerdict({ text, isError }: ToolResult): ToolVerdict {
  if (isError) return 'fail';
  const ends = endsOf(text, READ_AT_EACH_END);
  if (FAIL.test(ends)) return 'fail';
  return PASS.test(ends) ? 'pass' : undefined;
}
