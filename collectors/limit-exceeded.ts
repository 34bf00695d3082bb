import type { JsonValue } from '../core/index.js';

/** Thrown by a stage that finds its input too bad to go on with, such as labels that a probe can guess. */
export class LimitExceeded extends Error {
  /** What the stage's manifest is to say all the same. */
  readonly found: JsonValue | undefined;

  constructor(message: string, found?: JsonValue) {
    super(message);
    this.name = 'LimitExceeded';
    this.found = found;
  }
}
