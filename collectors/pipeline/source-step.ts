import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { writeWhole } from '../exporters/write-whole.js';
import type { Source } from '../source.js';
import type { StageResult } from '../stage.js';
import { digestOf } from './digest.js';
import type { Step, StepContext } from './run-step.js';

/** A source, which has no input but what it reads. Taken up, it reads everything again, for it has no other way to go on. */
export async function sourceStep(source: Source, { folder, signal }: StepContext): Promise<Step> {
  return {
    name: source.name,
    options: source.options,
    input: digestOf(await source.fingerprint(signal)),
    total: undefined,
    prepare: async () => undefined,
    async *results(from): AsyncGenerator<StageResult> {
      let at = 0;
      for await (const result of source.read(signal)) if (at++ >= from) yield result;
    },
    async end() {
      const report = source.report?.();
      if (!report) return undefined;
      const text = `${JSON.stringify(report.whole, undefined, 2)}\n`;
      await writeWhole(path.join(folder, `${source.name}.report.json`), (partial) =>
        writeFile(partial, text),
      );
      return report.found;
    },
  };
}
