import { InputError, type InputLocation } from '../../core/index.js';

interface PublishedLabel {
  readonly mistake_step?: number | null | undefined;
  readonly mistake_agent?: string | null | undefined;
}

export interface DecisiveError {
  readonly step: number;
  readonly agent: string;
}

/**
 * Step and agent of a label, undefined when the run has none. Half a label, and a step outside of the run, are refused:
 * a score against either would be wrong without a word. An agent who never speaks is a quirk, not an error.
 */
export function decisiveErrorOf(
  { mistake_step: step, mistake_agent: agent }: PublishedLabel,
  turnCount: number,
  at: InputLocation,
): DecisiveError | undefined {
  const within = (field: string) => ({
    ...at,
    field: at.field === undefined ? field : `${at.field}.${field}`,
  });
  if (step == null && agent == null) return undefined;
  if (step == null || agent == null) {
    const missing = within(step == null ? 'mistake_step' : 'mistake_agent');
    throw new InputError(missing, 'half a label', 'Give both step and agent, or neither');
  }
  if (step >= turnCount) {
    const what = `step ${step} of a run whose last step is ${turnCount - 1}`;
    throw new InputError(within('mistake_step'), what, 'Steps are 0-based: check the label');
  }
  return { step, agent };
}
