const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** The places of a text that stand in no brackets; where those do not match, as in `(3, 4]`, any closes any. */
export function outerPlaces(text: string): readonly boolean[] {
  let depth = 0;
  return Array.from({ length: text.length }, (_, at) => {
    const character = text.charAt(at);
    if ('([{'.includes(character)) depth++;
    const isOuter = depth === 0;
    if (')]}'.includes(character)) depth = Math.max(0, depth - 1);
    return isOuter;
  });
}

/** A text cut at the separators that stand in no brackets, trimmed. */
export function splitOuter(text: string, separator: RegExp): readonly string[] {
  const isOuter = outerPlaces(text);
  const parts: string[] = [];
  let start = 0;
  for (const { 0: found, index } of text.matchAll(new RegExp(separator, 'g'))) {
    if (!isOuter[index]) continue;
    parts.push(text.slice(start, index).trim());
    start = index + found.length;
  }
  return [...parts, text.slice(start).trim()];
}

/** Where the bracket at `start` closes, or -1. Backslashes escape braces, as in LaTeX. */
export function closingBracket(text: string, start: number): number {
  const open = text.charAt(start);
  const close = CLOSING[open];
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '\\') at++;
    else if (character === open) depth++;
    else if (character === close && --depth === 0) return at;
  }
  return -1;
}

/** What the last `\boxed{…}` of a text holds. */
export function lastBoxed(text: string): string | undefined {
  const start = text.lastIndexOf('\\boxed{');
  if (start < 0) return undefined;
  const open = start + '\\boxed'.length;
  const end = closingBracket(text, open);
  return end < 0 ? undefined : text.slice(open + 1, end).trim();
}
