import { z } from 'zod';
import { type ChatClientOptions, SetupError } from '../core/index.js';

/** A model on a server, in a configuration file: the key is named, never written. What it is asked is the user's matter. */
export const servedModelSchema = z.strictObject({
  baseURL: z.url({ protocol: /^https?$/, error: 'expected a URL such as http://localhost:8000/v1' }),
  model: z.string().min(1),
  /** Upper case only, so that a key put here by mistake is refused, and not looked up. */
  apiKeyEnv: z
    .string()
    .regex(/^[A-Z_][A-Z0-9_]*$/, {
      error: 'expected the name of an environment variable, such as OPENAI_API_KEY',
    })
    .optional(),
  retries: z.int().min(0).max(10).optional(),
  /** Requests at once. */
  concurrency: z.int().min(1).optional(),
  /** Sent along with every request, such as `{"response_format": {"type": "json_object"}}`. */
  extraBody: z.record(z.string(), z.json()).optional(),
});

export type ServedModel = z.infer<typeof servedModelSchema>;

/** Variables as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** @throws SetupError when the variable that holds the key is not set */
export function clientOptions({ apiKeyEnv, ...options }: ServedModel, env: Environment): ChatClientOptions {
  if (apiKeyEnv === undefined) return options;
  const apiKey = env[apiKeyEnv];
  if (apiKey) return { ...options, apiKey };
  throw new SetupError(
    'collect',
    `the environment variable ${apiKeyEnv} is not set, and the configuration names it`,
    'Set it to the key of the model server, or leave apiKeyEnv out for a server without one',
  );
}
