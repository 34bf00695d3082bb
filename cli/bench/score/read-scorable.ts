import { isPerSample, readPerSampleFile } from '../../../bench/per-sample/read-per-sample.js';
import type { Prediction } from '../../../bench/prediction.js';
import { parsePredictions, readWholeLines } from '../../../bench/predictions-file.js';
import type { Protocol } from '../../../bench/protocol.js';

/** What was said of labelled runs, and how it was asked. */
export interface Scorable {
  readonly file: string;
  readonly auditor: string;
  /** The model that was asked; undefined for an auditor that asks none. */
  readonly backbone: string | undefined;
  readonly protocol: Protocol;
  /** What else must be known to read the scores right. It may quote the file. */
  readonly remarks: readonly string[];
  readonly predictions: readonly Prediction[];
  /** Whether the file does not tell who made the mistakes, and which runs share a task. */
  readonly isForeign: boolean;
}

/** Reads our predictions, or the released harness's, whichever the first line says. @throws InputError */
export async function readScorable(file: string): Promise<Scorable> {
  const text = await readWholeLines(file);
  if (isPerSample(firstValue(text))) {
    const { model, protocol, predictions, remarks } = await readPerSampleFile(file);
    const auditor = 'the released harness';
    return { file, auditor, backbone: model, protocol, remarks, predictions, isForeign: true };
  }
  const { header, predictions } = parsePredictions(file, text);
  const { auditor, model, protocol, schedule } = header;
  const remarks =
    schedule === 'own'
      ? ["of these prefixes the auditor's own schedule chose; what it passed over counts as no alarm"]
      : [];
  return { file, auditor, backbone: model, protocol, remarks, predictions, isForeign: false };
}

function firstValue(text: string): unknown {
  try {
    return JSON.parse(text.slice(0, text.indexOf('\n')));
  } catch {
    return undefined;
  }
}
