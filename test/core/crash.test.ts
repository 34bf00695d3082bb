import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { jsonlRecorder } from '../../core/recorders/jsonl-recorder.js';
import { readRecords } from '../../core/run-log/read-records.js';
import { readRuns } from '../../core/run-log/read-runs.js';
import { closeRecord, runRecord } from '../support/records.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const writer = path.join(import.meta.dirname, '../support/crash-writer.ts');

/** When the writer dies: at any time, or by its own hand. */
type Moment = 'any' | 'acknowledging' | 'writing';

/** Runs the writer until it has acknowledged that many turns and is killed; returns all that it acknowledged. */
async function killedAfter(
  acknowledgements: number,
  moment: Moment,
  file: string,
  prefix: string,
): Promise<string[]> {
  // A file, since a pipe that is full could make the writer wait or fail.
  const output = `${file}.${prefix}.acknowledged`;
  const descriptor = fs.openSync(output, 'w');
  const acknowledged = () => fs.readFileSync(output, 'utf8').split('\n').slice(0, -1);
  const ownHand = moment === 'any' ? [] : [`${acknowledgements}`, moment];
  const child = spawn(process.execPath, ['--import', 'tsx', writer, file, prefix, ...ownHand], {
    stdio: ['ignore', descriptor, 'inherit'],
  });
  fs.closeSync(descriptor);
  const closed = once(child, 'close');
  if (moment === 'any') {
    while (child.exitCode === null && acknowledged().length < acknowledgements) await setTimeout(10);
    child.kill('SIGKILL');
  }
  expect((await closed)[1]).toBe('SIGKILL');
  expect(acknowledged().length).toBeGreaterThanOrEqual(acknowledgements);
  return acknowledged();
}

/** How often each turn, or each verdict on one, stands in the log. */
async function countOf(file: string, type: 'turn' | 'verdict'): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for await (const { record } of readRecords(file)) {
    if (record.type !== type) continue;
    const id = `${record.runId} ${record.type === 'turn' ? record.turn.id : record.turnId}`;
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

async function expectWholeLog(file: string, acknowledged: readonly string[]): Promise<void> {
  const turns = await countOf(file, 'turn');
  const verdicts = await countOf(file, 'verdict');
  expect(acknowledged.filter((id) => turns.get(id) !== 1 || verdicts.get(id) !== 1)).toEqual([]);
  expect([...turns.values()].every((times) => times === 1)).toBe(true);
  for await (const run of readRuns(file)) {
    expect(run.outcome).toBeUndefined();
    expect(run.turns.every(({ index }, at) => index === at)).toBe(true);
  }
}

describe.each<[Moment, number[]]>([
  ['any', [4_000, 4_000]],
  // The first of a batch of 1,000, when there is least time for a write that should have come before.
  ['acknowledging', [2_001, 3_001]],
  ['writing', [2_000, 2_300, 2_600]],
])('kill -9 amid 1,000 concurrent runs, moment: %s', (moment, lifetimes) => {
  it('loses no acknowledged turn, again and again on the same log', async () => {
    const file = path.join(temporaryFolder(), 'log.jsonl');
    const acknowledged: string[] = [];
    for (const [at, lifetime] of lifetimes.entries()) {
      acknowledged.push(...(await killedAfter(lifetime, moment, file, `process-${at}`)));
      await expectWholeLog(file, acknowledged);
    }
    const recorder = jsonlRecorder(file);
    await recorder.append(runRecord('after'));
    await recorder.append(closeRecord('after'));
    await recorder.close();
    const ended = await Array.fromAsync(readRuns(file));
    expect(ended.filter(({ outcome }) => outcome).map(({ run }) => run.runId)).toEqual(['after']);
  }, 120_000);
});
