import { writeFile } from 'node:fs/promises';
import { runStudy, type Study } from '../../bench/closed-loop/study.js';
import { type StudyConfig, studyConfigSchema } from '../../bench/closed-loop/study-config.js';
import { studyMarkdown, studyNotes, studyPage, studyTables } from '../../bench/closed-loop/study-report.js';
import { cellText } from '../../bench/tables/table.js';
import { writeWhole } from '../../collectors/exporters/write-whole.js';
import { readTextFile } from '../../collectors/importers/input-file.js';
import { parseJson } from '../../collectors/importers/parse-json.js';
import { validate } from '../../collectors/importers/validate.js';
import { InputError, messageOf, SetupError } from '../../core/index.js';
import { complain } from '../complain.js';
import { ExitCode } from '../exit-code.js';
import { Progress } from '../progress.js';
import { table } from '../table.js';
import { oneLine } from '../terminal-text.js';

export interface ClosedLoopOptions {
  readonly config?: string;
  readonly seed?: number;
  readonly html?: string;
  readonly markdown?: string;
  readonly json?: boolean;
}

/** `agentforesight bench closed-loop`: whether acting on alarms pays, for a simulated team and auditors of known quality. */
export async function benchClosedLoop(
  { config: file, seed, html, markdown, json = false }: ClosedLoopOptions,
  stop: AbortSignal,
): Promise<number> {
  const config = await configIn(file, seed);
  const progress = new Progress('figures', { isAlone: true });
  let study: Study;
  try {
    study = await runStudy(config, { signal: stop, onProgress: (done) => progress.show(done) });
  } catch (error) {
    if (stop.aborted) {
      complain('stopped; nothing was written');
      return ExitCode.interrupted;
    }
    if (error instanceof RangeError)
      throw new SetupError('bench closed-loop', error.message, 'Give another team', { cause: error });
    throw error;
  } finally {
    progress.end();
  }
  if (html !== undefined) await write(html, studyPage(study));
  if (markdown !== undefined) await write(markdown, studyMarkdown(study));
  console.log(json ? JSON.stringify(study) : text(study));
  const isSound = study.check.equal === study.check.outcomes;
  if (!isSound) complain('the fast model and the runtime disagree: these figures are not to be trusted');
  return isSound ? ExitCode.ok : ExitCode.fault;
}

async function configIn(file: string | undefined, seed: number | undefined): Promise<StudyConfig> {
  const given = file === undefined ? {} : parseJson(file, await readTextFile(file));
  const config = validate(studyConfigSchema, given, { file: file ?? 'the defaults' });
  return seed === undefined ? config : { ...config, seed };
}

async function write(file: string, page: string): Promise<void> {
  await writeWhole(file, (partial) => writeFile(partial, page, { mode: 0o600 })).catch((cause: unknown) => {
    throw new InputError({ file }, `cannot be written (${messageOf(cause)})`, 'Give another place', {
      cause,
    });
  });
}

function text(study: Study): string {
  const tables = studyTables(study).flatMap(({ title, columns, rows }) => [
    '',
    title,
    ...table(
      columns.map(({ name }) => name),
      rows.map((row) => row.map((cell, at) => oneLine(cellText(cell, columns[at]), 60))),
    ),
  ]);
  return [...studyNotes(study), ...tables].join('\n');
}
