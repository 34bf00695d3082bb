import { type FeedbackRecord, feedbackRecordSchema } from '../record.js';
import { type RunLog, readLines } from './read-lines.js';
import { longestLine, type ReadOptions } from './read-records.js';

const FEEDBACK = Buffer.from('"feedback"');

/**
 * The newest feedback of each run that a log has any of. It may have come long after the run, and into another process's
 * log. Lines that cannot be read are left to {@link readRecords}, which says what is wrong with them.
 */
export async function readFeedback(
  log: RunLog,
  options: Pick<ReadOptions, 'maxTurnBytes'> = {},
): Promise<ReadonlyMap<string, FeedbackRecord>> {
  const newest = new Map<string, FeedbackRecord>();
  for await (const { bytes } of readLines(log, longestLine(options))) {
    const record = bytes.includes(FEEDBACK) ? feedbackOn(bytes) : undefined;
    if (record && record.at >= (newest.get(record.runId)?.at ?? record.at)) newest.set(record.runId, record);
  }
  return newest;
}

function feedbackOn(line: Buffer): FeedbackRecord | undefined {
  try {
    return feedbackRecordSchema.safeParse(JSON.parse(line.toString())).data;
  } catch {
    return undefined;
  }
}
