import type { Alarm, Enforced, LoggedRun, Outcome, ToolSpec } from '../core/index.js';
import type { SampleTurn } from './sample.js';

/** What is known of a run's end: that nothing in it was decisively wrong, or where it went wrong. Never shown to an auditor. */
export type RunLabel =
  | { readonly kind: 'safe' }
  | {
      readonly kind: 'unsafe';
      /** 0-based index of the decisive error's turn. */
      readonly step: number;
      readonly agent: string;
      readonly reason?: string | undefined;
      /** `injected`: a fault written into a safe run; `natural`: a real failure, annotated. */
      readonly source?: 'injected' | 'natural' | undefined;
    };

/** What was said of a run, its steps counted in the run's final order. */
export type RunAudits = Pick<LoggedRun, 'verdicts' | 'failures' | 'notes'>;

export interface RecordedAudit {
  readonly auditor: string;
  /** The first alarm, its step in the run's final order, and what was done about it. */
  readonly alarm?: (Alarm & { readonly enforced: Enforced }) | undefined;
  /** Audits that gave no verdict. */
  readonly failures: number;
  readonly audits: RunAudits;
}

/** What our own log says of a run's life, beside its turns and audits. */
export interface RunLife {
  /** Absent when the run was cut off. */
  readonly outcome?: Outcome['status'] | undefined;
  /** Whether turns are missing. */
  readonly incomplete: boolean;
  /** A run of the same log that has turns of this one, and comes after it. */
  readonly supersededBy?: string | undefined;
  /** Whether those concerned agreed that it becomes training data. Absent where not all of them were asked. */
  readonly consent?: boolean | undefined;
}

/** Something odd in a recorded run that a reader survived and a user should know of. */
export interface Quirk {
  /** Stable, kebab-case: `"empty-turn"`. */
  readonly code: string;
  /** The turn it stands in, when it is one turn's. */
  readonly step?: number | undefined;
  readonly detail: string;
}

/** A run as an importer hands it over, whatever format it was kept in. */
export interface RecordedRun {
  readonly runId: string;
  /** Where it was read: a path, with the row or line where a file holds several runs. */
  readonly source: string;
  readonly task: string;
  readonly tools: readonly ToolSpec[];
  /** Turn 0 is the task. Positions equal the format's own step numbers, so that labels stay true. */
  readonly turns: readonly SampleTurn[];
  readonly label?: RunLabel | undefined;
  readonly domain?: string | undefined;
  /** The host's own id of the conversation, by which its saved state is found; only our own log knows. */
  readonly thread?: string | undefined;
  /** The answer that the task is known to have. Never shown to an auditor. */
  readonly reference?: string | undefined;
  /** Only a corpus that we have exported knows: which side of its split the run is on, and what it must not be parted from. */
  readonly split?: 'train' | 'test' | undefined;
  readonly group?: string | undefined;
  /** What was said and done when the run was recorded; only our own log knows. */
  readonly recorded?: RecordedAudit | undefined;
  /** Only our own log knows. */
  readonly life?: RunLife | undefined;
  readonly quirks: readonly Quirk[];
}
