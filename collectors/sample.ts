import type { ToolSpec, TurnInput } from '../core/index.js';
import type { BoundaryPair } from './pairs/boundary-pair.js';
import type { RunLabel } from './recorded-run.js';

/** A turn as core knows it, with what its corpus had and core has no word for. */
export type SampleTurn = TurnInput & {
  /** AFTraj's `action` as it was written, where rendering `toolCalls` and `handoffTo` would not give it back. */
  readonly action?: string | undefined;
};

/** Where a sample comes from, and under which terms. */
export interface Provenance {
  /** The importer: `"run-log"`, `"aftraj"`. */
  readonly format: string;
  /** A path, with the row or line where a file holds several runs. */
  readonly source: string;
  /** SPDX identifier, such as `"CC-BY-4.0"`, or words. */
  readonly licence?: string | undefined;
  /** Of a run made from another one: that sample's id. All that share a parent stay on one side of a split. */
  readonly parent?: string | undefined;
  /** The id that it was imported under, where that was replaced because it tells the label. */
  readonly originalId?: string | undefined;
  /** The fault that was written into the parent. */
  readonly fault?: Fault | undefined;
}

export interface Fault {
  /** A category of the taxonomy. */
  readonly category: string;
  /** 0-based. */
  readonly step: number;
  readonly method: 'turn-rewriting' | 'live-replay';
}

/** Omega of a run: 1 when it did what its task asked, else 0. */
export interface ScoredOutcome {
  readonly value: 0 | 1;
  /** The scorer's name. */
  readonly by: string;
  readonly reason: string;
}

/**
 * A run on its way to training data. Stages add to it and never take from it. `reference`, `label` and `outcome` are never
 * shown to an auditor.
 */
export interface Sample {
  /** Unique in the corpus. */
  readonly id: string;
  readonly task: string;
  readonly tools: readonly ToolSpec[];
  /** Turn 0 is the task; positions are the steps of labels. */
  readonly turns: readonly SampleTurn[];
  readonly domain?: string | undefined;
  /** The host's own id of the conversation, by which its saved state is found. */
  readonly thread?: string | undefined;
  /** The answer that the task is known to have, in whatever form the corpus keeps it. */
  readonly reference?: string | undefined;
  /** What whoever used the run said of it, in production. */
  readonly feedback?: Feedback | undefined;
  readonly label?: RunLabel | undefined;
  readonly outcome?: ScoredOutcome | undefined;
  readonly split?: 'train' | 'test' | undefined;
  /** Runs of one group share a task, a history or a parent, and never part at a split. */
  readonly group?: string | undefined;
  /** Replies of the policy that is to be trained, at the boundary of this run's decisive error. */
  readonly pairs?: readonly BoundaryPair[] | undefined;
  readonly provenance: Provenance;
}

/** @example { value: 0, by: 'thumbs', comment: 'booked the wrong day' } */
export interface Feedback {
  readonly value: 0 | 1;
  readonly by: string;
  readonly comment?: string | undefined;
}
