import { writeFile } from 'node:fs/promises';
import { type Predictions, readPredictions } from '../../bench/predictions-file.js';
import { looksFile, recordLook } from '../../bench/thresholds/test-looks.js';
import {
  type HeldOutCheck,
  heldOutCheck,
  type ThresholdReport,
  thresholdReport,
} from '../../bench/thresholds.js';
import { writeWhole } from '../../collectors/exporters/write-whole.js';
import { InputError, messageOf } from '../../core/index.js';
import { complain } from '../complain.js';
import { ExitCode } from '../exit-code.js';
import { refuseAsInput } from '../refuse-as-input.js';
import { thresholdsPage } from './thresholds/page.js';
import { thresholdsText } from './thresholds/print.js';

export interface ThresholdsOptions {
  readonly far: number;
  readonly seed: number;
  readonly check?: string;
  readonly html?: string;
  readonly json?: boolean;
}

/** What a report is printed with. */
export interface LookedAt {
  readonly check: HeldOutCheck;
  /** Different operating points that the same test predictions have seen, this one included. */
  readonly looks: number;
  readonly record: string;
}

/** `agentforesight bench thresholds`: what a score is worth at every threshold, and where to put it. */
export async function benchThresholds(file: string, options: ThresholdsOptions): Promise<number> {
  const { far, seed, check, html, json } = options;
  if (html !== undefined) refuseAsInput('--html', html, check === undefined ? [file] : [file, check]);
  const picked = await readPredictions(file);
  const report = thresholdReport(picked, file, { far, seed });
  const looked = check === undefined ? undefined : await lookAt(check, report, picked);
  if (html !== undefined) await writePage(html, thresholdsPage(report, looked));
  console.log(json ? JSON.stringify({ ...report, looked: looked ?? null }) : thresholdsText(report, looked));
  if (html !== undefined && !json) console.log(`\nwritten to ${html}`);
  if (looked && looked.looks > 1)
    complain(
      `WARNING: this test split has been looked at ${looked.looks} times, with ${looked.looks} different operating points (${looked.record}). Its figures are no longer those of a held-out split: report the first look, or all of them`,
    );
  return ExitCode.ok;
}

/** Both may be one file, of a walk over all splits. */
async function lookAt(file: string, report: ThresholdReport, picked: Predictions): Promise<LookedAt> {
  const check = heldOutCheck(report, picked, await readPredictions(file), file);
  return { check, looks: await recordLook(file, report, check), record: looksFile(file) };
}

async function writePage(file: string, page: string): Promise<void> {
  await writeWhole(file, (partial) => writeFile(partial, page)).catch((cause: unknown) => {
    throw new InputError({ file }, `cannot be written (${messageOf(cause)})`, 'Give --html another path', {
      cause,
    });
  });
}
