import type { KeptWork } from './step-at-work.js';

/** What Mastra hands to a step's code; the part that matters here. */
export interface StepContext {
  inputData?: unknown;
  readonly suspendData?: { readonly auditor?: KeptWork } | undefined;
  readonly suspend: (payload: unknown, ...more: unknown[]) => Promise<unknown>;
  readonly bail: (result: unknown) => unknown;
}

type Ends = Pick<StepContext, 'suspend' | 'bail'>;

/**
 * The context whose `suspend` and `bail` are ours, for the step's code. Mastra's own is a proxy: it is slow to write to,
 * and slower to copy, where reading through another proxy costs next to nothing.
 */
export function watchedContext(context: StepContext, ours: Ends): StepContext {
  const { suspend, bail } = context;
  return new Proxy(context, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      // What the step's code has put in their place is its own.
      if (key === 'suspend' && value === suspend) return ours.suspend;
      if (key === 'bail' && value === bail) return ours.bail;
      return value;
    },
  });
}
