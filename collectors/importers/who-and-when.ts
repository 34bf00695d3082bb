import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { InputError, type TurnInput } from '../../core/index.js';
import { quirksOf } from '../quirks/check.js';
import { runChecks } from '../quirks/run-checks.js';
import { whoAndWhenChecks } from '../quirks/who-and-when-checks.js';
import type { RecordedRun, RunLabel } from '../recorded-run.js';
import type { Importer } from './importer.js';
import { readTextFile } from './input-file.js';
import { fieldOf } from './json-object.js';
import { decisiveErrorOf } from './label.js';
import { parseJson } from './parse-json.js';
import { baseName, handoffTarget } from './speaker.js';
import { splitThinkTags } from './think-tags.js';
import { type ImportOptions, requireTurnSize } from './turn-size.js';
import { validate } from './validate.js';
import {
  halfOf,
  speakerOf,
  type WhoAndWhenRun,
  type WhoAndWhenTurn,
  whoAndWhenRunSchema,
} from './who-and-when-run.js';

export const whoAndWhenImporter: Importer = {
  format: 'who-and-when',
  title: 'Who&When',
  recognises: (first) => fieldOf(first, 'history') !== undefined,
  async *read(path, options) {
    yield await readWhoAndWhen(path, options);
  },
};

/**
 * One run, from one Who&When file. `runId` is the folder and the number (`hand-crafted/12`), since the two halves count
 * alike; `domain` is the half.
 */
export async function readWhoAndWhen(path: string, options: ImportOptions = {}): Promise<RecordedRun> {
  const raw = parseJson(path, await readTextFile(path));
  const published = validate(whoAndWhenRunSchema, raw, { file: path });
  for (const [step, { content }] of published.history.entries()) {
    requireTurnSize(path, `history[${step}]`, { content }, options);
  }
  const run = {
    runId: `${basename(dirname(resolve(path)))}/${basename(path, '.json')}`,
    source: path,
    task: published.question,
    domain: halfOf(published),
    tools: [],
    turns: published.history.map(toTurnInput),
    label: labelOf(path, published),
  };
  const asPublished = { half: halfOf(published), raw: raw as object, run: published };
  return { ...run, quirks: [...quirksOf(whoAndWhenChecks, asPublished), ...quirksOf(runChecks, run)] };
}

/** The runs of one half's folder, in the order of their numbers. */
export async function* readWhoAndWhenFolder(
  folder: string,
  options: ImportOptions = {},
): AsyncGenerator<RecordedRun> {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw new InputError({ file: folder }, 'is no folder that can be read', 'Check the path', { cause });
  });
  const byNumber = new Intl.Collator('en', { numeric: true });
  for (const name of names.filter((one) => one.endsWith('.json')).sort(byNumber.compare)) {
    yield await readWhoAndWhen(join(folder, name), options);
  }
}

const HUMANS = new Set(['human', 'user']);
const TERMINALS = new Set(['Computer_terminal', 'ComputerTerminal']);

function toTurnInput(turn: WhoAndWhenTurn, step: number): TurnInput {
  const agent = speakerOf(turn);
  const kind = kindOf(agent, step);
  const { thought, content } =
    kind === 'agent' ? splitThinkTags(turn.content) : { thought: undefined, content: turn.content };
  const handoffTo = handoffTarget(agent);
  return {
    agent,
    kind,
    content,
    ...(thought !== undefined && { thought }),
    ...(handoffTo !== undefined && { handoffTo }),
  };
}

/** Turn 0 is the task whoever speaks it: in the algorithm-generated half the manager's words stand under an expert's name. */
function kindOf(speaker: string, step: number): TurnInput['kind'] {
  if (step === 0 || HUMANS.has(speaker)) return 'user';
  return TERMINALS.has(baseName(speaker)) ? 'tool' : 'agent';
}

function labelOf(file: string, run: WhoAndWhenRun): RunLabel | undefined {
  const error = decisiveErrorOf(run, run.history.length, { file });
  if (error === undefined) return run.is_correct ? { kind: 'safe' } : undefined;
  return { kind: 'unsafe', ...error, reason: run.mistake_reason || undefined };
}
