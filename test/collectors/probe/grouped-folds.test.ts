import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupedFolds } from '../../../collectors/probe/cross-validate.js';
import { PrefixRows } from '../../../collectors/probe/prefix-rows.js';
import { ProbeCorpus } from '../../../collectors/probe/probe-corpus.js';
import type { Sample } from '../../../collectors/sample.js';

function sample(id: number, task: number, group: number | undefined): Sample {
  return {
    id: `run ${id}`,
    task: `Task  ${task}`,
    tools: [],
    turns: [
      { agent: 'user', kind: 'user', content: `task ${task}` },
      { agent: 'A', kind: 'agent', content: `run ${id}` },
    ],
    label: { kind: 'safe' },
    ...(group !== undefined && { group: String(group) }),
    provenance: { format: 'made', source: 'here' },
  };
}

test('every run is in one fold, with all runs of its task and of its group', () => {
  const runs = fc.array(fc.tuple(fc.nat(20), fc.option(fc.nat(10), { nil: undefined })), {
    minLength: 1,
    maxLength: 60,
  });
  fc.assert(
    fc.property(runs, fc.integer({ min: 2, max: 5 }), (made, folds) => {
      const corpus = new ProbeCorpus(1000);
      const samples = made.map(([task, group], id) => sample(id, task, group));
      for (const one of samples) corpus.add(one);
      const rows = new PrefixRows(corpus.runs());
      const all = rows.runs.map((_, index) => index);
      const parts = groupedFolds(rows, all, folds, 1);
      expect(parts.flat().sort((one, other) => one - other)).toEqual(all);
      const foldOf = new Map(
        parts.flatMap((part, fold) => part.map((index) => [rows.runs[index]?.id, fold])),
      );
      for (const one of samples)
        for (const other of samples)
          if (one.task === other.task || (one.group !== undefined && one.group === other.group))
            expect(foldOf.get(one.id)).toBe(foldOf.get(other.id));
    }),
  );
});
