const OPEN = '<think>';
const CLOSE = '</think>';

export interface SplitContent {
  readonly thought: string | undefined;
  readonly content: string;
}

/**
 * Moves every closed `<think>…</think>` block out of the content; several are joined by an empty line. A tag without
 * its partner stays where it is: nothing says where that thought begins or ends.
 */
export function splitThinkTags(text: string): SplitContent {
  const thoughts: string[] = [];
  const kept: string[] = [];
  let at = 0;
  for (;;) {
    const open = text.indexOf(OPEN, at);
    const close = open < 0 ? -1 : text.indexOf(CLOSE, open + OPEN.length);
    if (close < 0) break;
    kept.push(text.slice(at, open));
    thoughts.push(text.slice(open + OPEN.length, close).trim());
    at = close + CLOSE.length;
  }
  if (thoughts.length === 0) return { thought: undefined, content: text };
  kept.push(text.slice(at));
  return { thought: thoughts.filter(Boolean).join('\n\n') || undefined, content: kept.join('').trimStart() };
}
