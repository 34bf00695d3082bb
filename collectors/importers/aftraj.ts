import { InputError, type InputLocation, toAfTrajTurn } from '../../core/index.js';
import { afTrajChecks } from '../quirks/aftraj-checks.js';
import { quirksOf } from '../quirks/check.js';
import { runChecks } from '../quirks/run-checks.js';
import type { RecordedRun, RunLabel } from '../recorded-run.js';
import type { SampleTurn } from '../sample.js';
import { toToolCalls } from './aftraj-action.js';
import {
  type AfTrajRow,
  type AfTrajRowTurn,
  afTrajRowSchema,
  LABEL_COLUMNS,
  OPTIONAL_COLUMNS,
  REQUIRED_COLUMNS,
} from './aftraj-row.js';
import type { Importer } from './importer.js';
import { decisiveErrorOf } from './label.js';
import { ParquetFile } from './parquet-file.js';
import { type ImportOptions, requireTurnSize } from './turn-size.js';
import { validate } from './validate.js';

export const afTrajImporter: Importer = {
  format: 'aftraj',
  title: 'AFTraj (Parquet)',
  recognises: (first) => first instanceof Uint8Array,
  read: readAfTraj,
};

/** The runs of one AFTraj Parquet file, in its order, one row group in memory at a time. `runId` is `conv_id`. */
export async function* readAfTraj(path: string, options: ImportOptions = {}): AsyncGenerator<RecordedRun> {
  const file = await ParquetFile.open(path);
  for await (const { index, values } of file.rows(columnsToRead(path, file.columns))) {
    const place = { file: path, field: `rows[${index}]` };
    const row = validate(afTrajRowSchema, values, place);
    for (const [step, { thought, action, content }] of row.turns.entries()) {
      requireTurnSize(path, `${place.field}.turns[${step}]`, { thought, action, content }, options);
    }
    const run = {
      runId: row.conv_id,
      source: `${path} (row ${index})`,
      task: row.task,
      domain: row.domain,
      tools: (row.tools ?? []).map(({ name, description }) =>
        description ? { name, description } : { name },
      ),
      turns: row.turns.map(toSampleTurn),
      label: labelOf(row, place),
      ...(row.gold_answer && { reference: row.gold_answer }),
    };
    yield { ...run, quirks: [...quirksOf(afTrajChecks, row), ...quirksOf(runChecks, run)] };
  }
}

/** All label columns or none: a file that lost one of them would pass for one of safe runs. */
function columnsToRead(path: string, present: readonly string[]): readonly string[] {
  const labelled = LABEL_COLUMNS.some((column) => present.includes(column));
  const required = [...REQUIRED_COLUMNS, ...(labelled ? LABEL_COLUMNS : [])];
  const missing = required.filter((column) => !present.includes(column));
  if (missing.length > 0) {
    const what = `lacks the column${missing.length > 1 ? 's' : ''} ${missing.join(', ')} (has: ${present.join(', ')})`;
    throw new InputError(
      { file: path, field: missing[0] },
      what,
      'Give a Parquet file with the columns of AFTraj',
    );
  }
  return [...required, ...OPTIONAL_COLUMNS.filter((column) => present.includes(column))];
}

/** Mostly the calls' JSON was spaced otherwise than rendering them would space it. */
function toSampleTurn({ role, thought, action, content }: AfTrajRowTurn): SampleTurn {
  const toolCalls = toToolCalls(action);
  const turn: SampleTurn = {
    agent: role,
    kind: role === 'user' ? 'user' : role === 'environment' ? 'tool' : 'agent',
    content,
    ...(thought && { thought }),
    ...(toolCalls.length > 0 && { toolCalls }),
  };
  return action === toAfTrajTurn(turn).action ? turn : { ...turn, action };
}

function labelOf(row: AfTrajRow, place: InputLocation): RunLabel {
  const error = decisiveErrorOf(row, row.turns.length, place);
  if (error === undefined) return { kind: 'safe' };
  const source = row.unsafe_source === 'diagnosed' ? 'natural' : (row.unsafe_source ?? undefined);
  return { kind: 'unsafe', ...error, reason: row.mistake_reason || undefined, source };
}
