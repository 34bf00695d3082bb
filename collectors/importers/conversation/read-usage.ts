import type { Usage } from '../../../core/index.js';
import { fieldOf } from '../json-object.js';

const INPUT = ['prompt_tokens', 'input_tokens', 'inputTokens', 'promptTokens', 'input'];
const OUTPUT = ['completion_tokens', 'output_tokens', 'outputTokens', 'completionTokens', 'output'];
const CACHED = ['cached_tokens', 'cache_read_input_tokens', 'input_cached_tokens', 'input_cache_read'];

/** Tokens under the names that providers give them; undefined when there are none. */
export function usageOf(value: unknown): Usage | undefined {
  const inputTokens = firstNumber(value, INPUT);
  const outputTokens = firstNumber(value, OUTPUT);
  const details = fieldOf(value, 'prompt_tokens_details') ?? fieldOf(value, 'input_token_details');
  const cachedInputTokens =
    firstNumber(value, CACHED) ?? firstNumber(details, ['cached_tokens', 'cache_read']);
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  return {
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(cachedInputTokens !== undefined && { cachedInputTokens }),
  };
}

function firstNumber(value: unknown, names: readonly string[]): number | undefined {
  return names
    .map((name) => fieldOf(value, name))
    .find((found): found is number => typeof found === 'number' && found >= 0);
}
