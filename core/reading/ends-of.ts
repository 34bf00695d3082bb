/**
 * The first and the last characters of a text, all of it where it is short. What a tool or an agent has to say of itself
 * stands at either end; this bounds what a pattern costs on a turn of megabytes.
 */
export function endsOf(text: string, characters: number): string {
  if (text.length <= 2 * characters) return text;
  return `${text.slice(0, characters)}\n${text.slice(-characters)}`;
}
