import { InputError } from '../errors.js';
import type { CloseRecord, FailureRecord, NoteRecord, RunRecord, VerdictRecord } from '../record.js';
import { Trajectory } from '../trajectory.js';
import type { Turn } from '../turn.js';
import { continuedRuns } from './continued-runs.js';
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
  /** A turn stands elsewhere in its prefix than it did when it was written. */
  incomplete = false;
  readonly #turnIds = new Set<string>();
  readonly #due = new Set<string>();

  constructor(run: RunRecord, line: number) {
    this.run = run;
    this.line = line;
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

  end(outcome?: CloseRecord['outcome']): LoggedRun {
    const { run, line, verdicts, failures, notes, incomplete } = this;
    const turns = this.trajectory.turns();
    return { run, line, turns, due: this.#due, verdicts, failures, notes, incomplete, outcome };
  }
}

/**
 * Puts the runs of a log together, each handed over at its close record and the unclosed ones at the end, in the order
 * they were opened. Memory: the runs that are open at once, and the turns of those that others of the log continue.
 * @throws InputError as {@link readRecords}, and for a record of a run that was never opened
 */
export async function* readRuns(file: string, options: ReadOptions = {}): AsyncGenerator<LoggedRun> {
  const open = new Map<string, OpenRun>();
  const continued = await continuedRuns(file, longestLine(options));
  const continuable = new Map<string, readonly Turn[]>();
  const warn = (line: number, text: string) => options.onWarning?.(`${file}:${line}: ${text}`);

  for await (const { line, record } of readRecords(file, options)) {
    if (record.type === 'recovery') continue;
    if (record.type === 'run') {
      const cutOff = open.get(record.runId);
      if (cutOff) yield cutOff.end();
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
      const ended = run.end(record.outcome);
      // Only a run that stopped before its end can be taken up again.
      const mayBeContinued = record.outcome.status !== 'completed' && continued?.has(record.runId) !== false;
      if (mayBeContinued) continuable.set(record.runId, ended.turns);
      yield ended;
    }
  }
  for (const run of open.values()) yield run.end();

  function begin(record: RunRecord, line: number): OpenRun {
    const run = new OpenRun(record, line);
    if (record.continues === undefined) return run;
    const earlier = continuable.get(record.continues) ?? open.get(record.continues)?.trajectory.turns();
    if (!earlier)
      warn(line, `run ${record.runId} continues ${record.continues}, whose turns are not in this log`);
    const undone = new Set(record.undone);
    for (const turn of earlier ?? [])
      if (!undone.has(turn.id)) run.add({ ...turn, path: [], given: true }, false);
    return run;
  }
}
