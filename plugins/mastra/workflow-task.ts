/**
 * What a workflow is asked, as text: its input, if that is text or a prompt, as that of agent steps is; else as JSON.
 */
export function taskOf(params: unknown): string {
  const { inputData } = (params ?? {}) as { readonly inputData?: unknown };
  if (typeof inputData === 'string') return inputData;
  if (isPrompt(inputData)) return inputData.prompt;
  return JSON.stringify(inputData) ?? '';
}

function isPrompt(input: unknown): input is { readonly prompt: string } {
  if (typeof input !== 'object' || input === null || Object.keys(input).length !== 1) return false;
  return 'prompt' in input && typeof input.prompt === 'string';
}
