/**
 * What tools answered on a turn: one text of a live run, or all those of an AFTraj `environment` turn, whose content is a
 * JSON array such as `[{"name": "compute", "result": "10", "call_id": "call_0001"}]`.
 */
export function toolResultTexts(content: string): readonly string[] {
  if (!/^\s*\[\s*\{/.test(content)) return [content];
  try {
    const entries: unknown = JSON.parse(content);
    if (Array.isArray(entries) && entries.every(hasResult))
      return entries.map(({ result }) => (typeof result === 'string' ? result : JSON.stringify(result)));
  } catch {
    // A tool's own text that begins like a list.
  }
  return [content];
}

function hasResult(entry: unknown): entry is { readonly result: unknown } {
  return typeof entry === 'object' && entry !== null && 'result' in entry;
}
