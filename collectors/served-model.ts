import type { z } from 'zod';
import {
  apiKeyEnvSchema,
  type ChatClientOptions,
  chatClientSchema,
  type Environment,
  keyIn,
} from '../core/index.js';

/** A model on a server, in a configuration file: its key is named, never written. */
export const servedModelSchema = chatClientSchema
  .omit({ apiKey: true })
  .extend({ apiKeyEnv: apiKeyEnvSchema.optional() });

/** @throws SetupError when the variable that holds the key is not set */
export function clientOptions(
  { apiKeyEnv, ...options }: z.infer<typeof servedModelSchema>,
  env: Environment,
): ChatClientOptions {
  return apiKeyEnv === undefined ? options : { ...options, apiKey: keyIn(env, apiKeyEnv) };
}
