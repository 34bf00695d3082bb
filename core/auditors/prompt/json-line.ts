import { withoutControlTokens } from './control-tokens.js';

/** Ends of line for some readers, which JSON leaves as they are. */
const OTHER_LINE_ENDS = /[\u0085\u2028\u2029]/g;

/**
 * One line of the prompt. Agents' text stands inside JSON strings, so that it can neither forge a line nor close one.
 * Fields that are undefined are left out.
 */
export function jsonLine(value: object): string {
  const json = JSON.stringify(value).replace(
    OTHER_LINE_ENDS,
    (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `${withoutControlTokens(json)}\n`;
}
