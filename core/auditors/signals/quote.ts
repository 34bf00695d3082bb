const MAX_QUOTED = 120;

/** A piece of evidence for a reason: one line, at most 120 characters, cut at the end with a sign that it was cut. */
export function quote(evidence: string): string {
  const line = evidence
    .slice(0, 4 * MAX_QUOTED)
    .replace(/\s+/g, ' ')
    .trim();
  const cut = line.length > MAX_QUOTED || evidence.length > 4 * MAX_QUOTED;
  return `"${cut ? `${line.slice(0, MAX_QUOTED)}…` : line}"`;
}

/** The evidence from `start` to `end`, with the words around it that make it readable. */
export function quoteAround(text: string, start: number, end: number): string {
  return quote(text.slice(Math.max(0, start - 30), Math.min(text.length, end + 30)));
}
