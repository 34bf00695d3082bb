import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { DecisionCounts } from '../../collectors/exporters/card/decision-counts.js';
import type { StageAccount } from '../../collectors/exporters/card.js';
import { writeJsonLines } from '../../collectors/exporters/json-lines.js';
import type { Sample } from '../../collectors/sample.js';
import type { Stage, StageResult } from '../../collectors/stage.js';

/** A stage over a file of stage results, into another one: a line for each sample, in their order. */
export async function runStage(stage: Stage, input: string, output: string): Promise<StageAccount> {
  const { signal } = new AbortController();
  const found = await stage.prepare?.(samplesOf(input), signal);
  const decisions = new DecisionCounts();
  async function* results(): AsyncGenerator<StageResult> {
    for await (const result of inOrder(samplesOf(input), stage.concurrency ?? 1, (sample) =>
      stage.process(sample, signal),
    )) {
      for (const decision of result.decisions) decisions.add(decision);
      yield result;
    }
  }
  await writeJsonLines(output, results());
  return { name: stage.name, options: stage.options, found, decisions: decisions.counts() };
}

/** The samples that a stage has let through. */
export async function* samplesOf(file: string): AsyncGenerator<Sample> {
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity }))
    yield* (JSON.parse(line) as StageResult).samples;
}

/** Results in the order of the items, so many under way at once. */
async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  concurrency: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const underWay: Promise<Result>[] = [];
  for await (const item of items) {
    underWay.push(work(item));
    if (underWay.length >= concurrency) yield (await underWay.shift()) as Result;
  }
  yield* underWay;
}
