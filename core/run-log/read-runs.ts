import { InputError } from '../errors.js';
import type { CloseRecord, FailureRecord, NoteRecord, RunRecord, VerdictRecord } from '../record.js';
import { Trajectory } from '../trajectory.js';
import type { Turn } from '../turn.js';
import { readContinuations } from './continuations.js';
import { nameOf, type RunLog } from './read-lines.js';
import { longestLine, type ReadOptions, readRecords } from './read-records.js';

/** One run as the log kept it. */
export interface LoggedRun {
  readonly run: RunRecord;
  /** 1-based line of the run's first record. */
  readonly line: number;
  /** In final order: parallel branches are folded by path, whichever was written first. */
  readonly turns: readonly Turn[];
  /** Ids of the turns that the schedule asked to have audited. */
  readonly due: ReadonlySet<string>;
  readonly verdicts: readonly VerdictRecord[];
  readonly failures: readonly FailureRecord[];
  /** Notes that came after their verdicts. */
  readonly notes: readonly NoteRecord[];
  /** Whether turns are missing: lines were skipped or removed, or the run continues one that is not in the log. */
  readonly incomplete: boolean;
  /** A run of the log that has turns of this one, and comes after it. Of all that share a turn, the last has none. */
  readonly supersededBy?: string | undefined;
  /** False when those concerned did not agree that some of the turns become training data, true when all did. */
  readonly consent?: boolean | undefined;
  /** Absent when the run was cut off: the process died, or is still at work. */
  readonly outcome?: CloseRecord['outcome'] | undefined;
}

class OpenRun {
  readonly run: RunRecord;
  readonly line: number;
  readonly trajectory = new Trajectory();
  readonly verdicts: VerdictRecord[] = [];
  readonly failures: FailureRecord[] = [];
  readonly notes: NoteRecord[] = [];
  consent: boolean | undefined;
  /** A turn stands elsewhere in its prefix than it did when it was written. */
  incomplete = false;
  readonly #turnIds = new Set<string>();
  readonly #due = new Set<string>();

  constructor(run: RunRecord, line: number) {
    this.run = run;
    this.line = line;
    this.consent = run.consent;
  }

  /** @returns whether the turn is new */
  add(turn: Turn, isDue: boolean): boolean {
    if (this.#turnIds.has(turn.id)) return false;
    this.#turnIds.add(turn.id);
    if (isDue) this.#due.add(turn.id);
    const place = this.trajectory.append(turn).length - 1;
    if (place !== turn.index) this.incomplete = true;
    return true;
  }

  /** Files a verdict, failure or note with the turn that it is about. */
  addJudgement(record: VerdictRecord | FailureRecord | NoteRecord): void {
    if (!this.#turnIds.has(record.turnId)) this.incomplete = true;
    if (record.type === 'verdict') this.verdicts.push(record);
    else if (record.type === 'failure') this.failures.push(record);
    else this.notes.push(record);
  }

  /** Its turns are part of this run: no more is agreed to than both have agreed to. */
  follow({ turns, consent }: EarlierRun): void {
    const undone = new Set(this.run.undone);
    for (const turn of turns) if (!undone.has(turn.id)) this.add({ ...turn, path: [], given: true }, false);
    this.consent = consent === false ? false : this.consent && consent;
  }

  soFar(): EarlierRun {
    return { turns: this.trajectory.turns(), consent: this.consent };
  }

  end(supersededBy: string | undefined, outcome?: CloseRecord['outcome']): LoggedRun {
    const { run, line, verdicts, failures, notes, incomplete, consent } = this;
    const turns = this.trajectory.turns();
    const said = { verdicts, failures, notes };
    return { run, line, turns, due: this.#due, ...said, incomplete, consent, supersededBy, outcome };
  }
}

type EarlierRun = Pick<LoggedRun, 'turns' | 'consent'>;

/**
 * Puts the runs of a log together, each handed over at its close record and the unclosed ones at the end, in the order
 * they were opened. Memory: the runs that are open at once, and the turns of those that others of the log continue.
 * @throws InputError as {@link readRecords}, and for a record of a run that was never opened
 */
export async function* readRuns(log: RunLog, options: ReadOptions = {}): AsyncGenerator<LoggedRun> {
  const file = nameOf(log);
  const open = new Map<string, OpenRun>();
  const continuations = await readContinuations(log, longestLine(options));
  const continuable = new Map<string, EarlierRun>();
  const warn = (line: number, text: string) => options.onWarning?.(`${file}:${line}: ${text}`);

  for await (const { line, record } of readRecords(log, options)) {
    if (record.type === 'recovery' || record.type === 'feedback') continue;
    if (record.type === 'run') {
      const cutOff = open.get(record.runId);
      if (cutOff) yield ended(cutOff);
      open.set(record.runId, begin(record, line));
      continue;
    }
    const run = open.get(record.runId);
    if (!run) {
      const error = new InputError(
        { file, line, field: 'runId' },
        `a ${record.type} of run ${record.runId}, which this log never opened or has closed`,
        'Pass the whole log, or read the rest with --keep-going',
      );
      if (!options.onBadLine) throw error;
      options.onBadLine(error);
    } else if (record.type === 'turn') {
      if (!run.add(record.turn, record.due))
        warn(line, `turn ${record.turn.id} of run ${record.runId} stands twice; the first counts`);
    } else if (record.type !== 'close') run.addJudgement(record);
    else {
      open.delete(record.runId);
      const whole = ended(run, record.outcome);
      // Only a run that stopped before its end can be taken up again.
      const mayBeContinued =
        record.outcome.status !== 'completed' && continuations?.isContinued(record.runId) !== false;
      if (mayBeContinued) continuable.set(record.runId, { turns: whole.turns, consent: whole.consent });
      yield whole;
    }
  }
  for (const run of open.values()) yield ended(run);

  function ended(run: OpenRun, outcome?: CloseRecord['outcome']): LoggedRun {
    return run.end(continuations?.supersededBy(run.run.runId), outcome);
  }

  function begin(record: RunRecord, line: number): OpenRun {
    const run = new OpenRun(record, line);
    if (record.continues === undefined) return run;
    const earlier = continuable.get(record.continues) ?? open.get(record.continues)?.soFar();
    if (earlier) run.follow(earlier);
    else warn(line, `run ${record.runId} continues ${record.continues}, whose turns are not in this log`);
    return run;
  }
}
