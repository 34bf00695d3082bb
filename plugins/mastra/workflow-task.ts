/**
 * What a workflow is asked, as text: its input, if that is text or a prompt, as that of agent steps is; else as JSON.
 */
export function taskOf(input: unknown): string {
  if (typeof input === 'string') return input;
  if (isPrompt(input)) return input.prompt;
  return JSON.stringify(input) ?? '';
}

function isPrompt(input: unknown): input is { readonly prompt: string } {
  if (typeof input !== 'object' || input === null || Object.keys(input).length !== 1) return false;
  return 'prompt' in input && typeof input.prompt === 'string';
}
