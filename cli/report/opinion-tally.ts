import type { LoggedRun, Opinion } from '../../core/index.js';
import { notesOf } from './logged-audits.js';
import { Numbers } from './numbers.js';

type Answer = 'continue' | 'alarm' | 'failure';

/** What one auditor of several said, beside what held: the candidate in a shadow, a stage of a cascade, a voice of a majority. */
export interface OpinionSummary {
  readonly auditor: string;
  /** A candidate, whose verdicts do not count. */
  readonly isShadow: boolean;
  readonly asked: number;
  readonly alarms: number;
  readonly failures: number;
  /** Opinions of the same kind as the auditor's whole answer. */
  readonly agreed: number;
  /** Alarms of both, and those of them that blame the same step. */
  readonly bothAlarm: number;
  readonly sameStep: number;
  /** `table[what held][what it said]` */
  readonly table: Readonly<Record<Answer, Readonly<Record<Answer, number>>>>;
  /** Milliseconds. */
  readonly medianLatency: number | null;
}

export class OpinionTally {
  readonly #voices = new Map<string, Voice>();

  add(logged: LoggedRun): void {
    // The whole auditor's own word: a calibration knows nothing of opinions.
    const held = new Map<string, Pick<Opinion, 'verdict' | 'failure'>>([
      ...logged.failures.map(({ turnId, failure }) => [turnId, { failure }] as const),
      ...logged.verdicts.map(({ turnId, said, verdict }) => [turnId, { verdict: said ?? verdict }] as const),
    ]);
    for (const { turnId, note } of notesOf(logged)) {
      if (note.type !== 'opinion') continue;
      const voice = this.#voices.get(note.auditor) ?? new Voice(note.shadow === true);
      this.#voices.set(note.auditor, voice);
      voice.add(note, held.get(turnId));
    }
  }

  summary(): OpinionSummary[] {
    return [...this.#voices].map(([auditor, voice]) => ({ auditor, ...voice.summary() }));
  }
}

class Voice {
  readonly #table = { continue: zero(), alarm: zero(), failure: zero() };
  readonly #latencies = new Numbers();
  #asked = 0;
  #alarms = 0;
  #failures = 0;
  #sameStep = 0;
  readonly #isShadow: boolean;

  constructor(isShadow: boolean) {
    this.#isShadow = isShadow;
  }

  add(opinion: Opinion, held: Pick<Opinion, 'verdict' | 'failure'> | undefined): void {
    const said = answerOf(opinion);
    this.#asked++;
    this.#latencies.add(opinion.durationMs);
    if (said === 'alarm') this.#alarms++;
    if (said === 'failure') this.#failures++;
    if (!held) return;
    this.#table[answerOf(held)][said]++;
    if (opinion.verdict?.kind === 'alarm' && held.verdict?.kind === 'alarm')
      this.#sameStep += opinion.verdict.step === held.verdict.step ? 1 : 0;
  }

  summary(): Omit<OpinionSummary, 'auditor'> {
    const { continue: proceeded, alarm, failure } = this.#table;
    return {
      isShadow: this.#isShadow,
      asked: this.#asked,
      alarms: this.#alarms,
      failures: this.#failures,
      agreed: proceeded.continue + alarm.alarm + failure.failure,
      bothAlarm: alarm.alarm,
      sameStep: this.#sameStep,
      table: this.#table,
      medianLatency: this.#latencies.quantile(0.5),
    };
  }
}

function zero(): Record<Answer, number> {
  return { continue: 0, alarm: 0, failure: 0 };
}

function answerOf({ verdict, failure }: Pick<Opinion, 'verdict' | 'failure'>): Answer {
  return failure ? 'failure' : (verdict?.kind ?? 'failure');
}
