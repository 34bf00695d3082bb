import { z } from 'zod';
import { SetupError } from './errors.js';

/** Where keys are looked up by name, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** How a configuration file names a key. Upper case only, so that a key put here by mistake is refused, and not looked up. */
export const apiKeyEnvSchema = z.string().regex(/^[A-Z_][A-Z0-9_]*$/, {
  error: 'expected the name of an environment variable, such as OPENAI_API_KEY',
});

/** @throws SetupError when the variable is not set */
export function keyIn(env: Environment, variable: string): string {
  const key = env[variable];
  if (key) return key;
  throw new SetupError(
    'api-key',
    `the environment variable ${variable} is not set, and the configuration names it`,
    'Set it to the key of the model server, or leave apiKeyEnv out for a server without one',
  );
}
