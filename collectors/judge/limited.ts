import { ConcurrencyLimit, SetupError } from '../../core/index.js';
import type { Judge } from './judge.js';

/**
 * Asks so many questions at once, the others in the order of their coming. However long they queue, the judge's own
 * deadline begins when it is asked.
 * @throws SetupError
 */
export function limited(judge: Judge, concurrency: number): Judge {
  if (!Number.isInteger(concurrency) || concurrency < 1)
    throw new SetupError(
      'limited',
      `${concurrency} is no number of questions`,
      'Give a whole number above 0',
    );
  const limit = new ConcurrencyLimit(concurrency);
  return {
    name: judge.name,
    async ask(question, signal) {
      try {
        return await limit.run(signal, () => judge.ask(question, signal));
      } catch (cause) {
        signal.throwIfAborted();
        throw cause;
      }
    },
  };
}
