import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { baselines } from '../../bench/baselines/index.js';
import { truthOf } from '../../bench/bench-run.js';
import { type BenchCorpus, benchRuns } from '../../bench/datasets.js';
import { fittedFloors, fixedFloors } from '../../bench/floors/index.js';
import { walkFloors } from '../../bench/floors/walk-floors.js';
import { withTruths } from '../../bench/per-sample/with-truths.js';
import type { Protocol } from '../../bench/protocol.js';
import { findingText } from '../../bench/report/findings.js';
import { type BenchReport, benchReport, reportJson, reportMarkdown, reportPage } from '../../bench/report.js';
import { scorePredictions } from '../../bench/score.js';
import { STAGES, type TrainingStages } from '../../bench/tables/ablation-table.js';
import type { ScoredWalk, WalkKind } from '../../bench/tables/scored-walk.js';
import { writeWhole } from '../../collectors/exporters/write-whole.js';
import { InputError, messageOf, SetupError } from '../../core/index.js';
import { complain } from '../complain.js';
import { ExitCode } from '../exit-code.js';
import { Progress } from '../progress.js';
import { oneLine } from '../terminal-text.js';
import { readScorable } from './score/read-scorable.js';

export interface ReportCommandOptions {
  /** The datasets, for floors that no file holds, and for what a foreign file does not tell. */
  readonly data?: readonly string[];
  /** `base=FILE`, `stage1=FILE`, `stage2=FILE`, `both=FILE`. */
  readonly ablation?: readonly string[];
  readonly out: string;
  readonly json?: boolean;
}

/** `agentforesight bench report`: the paper's tables, ours beside the published figures, and the floors always. */
export async function benchReportCommand(
  files: readonly string[],
  { data, ablation = [], out, json = false }: ReportCommandOptions,
  stop: AbortSignal,
): Promise<number> {
  const staged = ablation.map(stageAndFile);
  const progress = new Progress('floors walked', { isAlone: true });
  try {
    const corpus = data && (await benchRuns(data, { signal: stop }));
    const walks = await Promise.all(files.map((file) => scoredFile(file, corpus)));
    const checkpoints = await Promise.all(
      staged.map(async ([stage, file]) => [stage, await scoredFile(file, corpus)] as const),
    );
    const all = [...walks, ...checkpoints.map(([, walk]) => walk)];
    const floors = await missingFloors(all, corpus, stop, () => progress.advance());
    const report = benchReport([...walks, ...floors], { ablation: Object.fromEntries(checkpoints) });
    await write(report, out);
    progress.end();
    if (json) console.log(JSON.stringify(reportJson(report)));
    else
      console.log(
        [...report.findings.map((one) => oneLine(findingText(one), 400)), `written to ${out}`].join('\n'),
      );
    return ExitCode.ok;
  } catch (error) {
    if (!stop.aborted) throw error;
    complain('stopped; nothing was written');
    return ExitCode.interrupted;
  } finally {
    progress.end();
  }
}

function stageAndFile(given: string): readonly [TrainingStages, string] {
  const [name, ...rest] = given.split('=');
  const stage = STAGES.find((one) => one === name);
  if (stage && rest.join('=') !== '') return [stage, rest.join('=')];
  throw new SetupError(
    'bench report',
    `--ablation ${given}`,
    `Give ${STAGES.map((one) => `${one}=FILE`).join(', ')}`,
  );
}

async function scoredFile(file: string, corpus: BenchCorpus | undefined): Promise<ScoredWalk> {
  const { auditor, backbone, protocol, predictions, isForeign } = await readScorable(file);
  const known = isForeign && corpus ? withTruths(predictions, corpus.runs.map(truthOf), file) : predictions;
  const kind: WalkKind = isForeign ? 'record' : kindOf(auditor);
  return { method: auditor, kind, backbone, protocol, scores: scorePredictions(known) };
}

function kindOf(auditor: string): WalkKind {
  if ([...fittedFloors, ...fixedFloors].some(({ name }) => name === auditor)) return 'floor';
  return baselines.some(({ name }) => name === auditor) ? 'baseline' : 'auditor';
}

/** Figures without floors beside them mislead, so what no file holds is walked here. @throws SetupError where there is no data for it */
async function missingFloors(
  walks: readonly ScoredWalk[],
  corpus: BenchCorpus | undefined,
  signal: AbortSignal,
  onFloor: () => void,
): Promise<readonly ScoredWalk[]> {
  const placesOf = (some: readonly ScoredWalk[]) =>
    some.flatMap(({ protocol, scores }) => scores.map(({ dataset }) => ({ dataset, protocol })));
  const walked = placesOf(walks.filter(({ kind }) => kind === 'floor'));
  const missing = placesOf(walks).filter(
    (place) =>
      !walked.some(({ dataset, protocol }) => dataset === place.dataset && protocol === place.protocol),
  );
  const there = new Set(corpus?.runs.map(({ dataset }) => dataset));
  const untold = missing.find(({ dataset }) => !there.has(dataset));
  if (untold)
    throw new SetupError(
      'bench report',
      `no floor was walked on ${untold.dataset} under ${untold.protocol}`,
      'Give --data with the whole dataset, or the files that bench floors --out has written',
    );
  const floors: ScoredWalk[] = [];
  for (const protocol of new Set<Protocol>(missing.map((place) => place.protocol))) {
    const datasets = new Set(
      missing.filter((place) => place.protocol === protocol).map(({ dataset }) => dataset),
    );
    const runs = corpus?.runs.filter(({ dataset }) => datasets.has(dataset)) ?? [];
    for await (const { floor, predictions } of walkFloors(runs, protocol, signal)) {
      const scores = scorePredictions(predictions);
      floors.push({ method: floor.name, kind: 'floor', backbone: undefined, protocol, scores });
      onFloor();
    }
  }
  return floors;
}

async function write(report: BenchReport, out: string): Promise<void> {
  await mkdir(out, { recursive: true }).catch((cause: unknown) => {
    throw new InputError(
      { file: out },
      `no folder can be made here (${messageOf(cause)})`,
      'Give another one',
      {
        cause,
      },
    );
  });
  const texts = {
    'report.md': reportMarkdown(report),
    'report.html': reportPage(report),
    'report.json': `${JSON.stringify(reportJson(report), undefined, 1)}\n`,
    ...Object.fromEntries(Object.entries(report.plots).map(([name, plot]) => [`${name}.svg`, plot])),
  };
  for (const [name, text] of Object.entries(texts))
    await writeWhole(path.join(out, name), (partial) => writeFile(partial, text, { mode: 0o600 }));
}
