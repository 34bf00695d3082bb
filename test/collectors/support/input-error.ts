import { InputError } from '../../../core/index.js';

/** The InputError that a promise must reject with. */
export async function inputErrorOf(promise: Promise<unknown>): Promise<InputError> {
  const error = await promise.then(
    (value) => new Error(`expected an InputError, got ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof InputError) return error;
  throw error;
}
