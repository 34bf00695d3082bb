import { setTimeout } from 'node:timers/promises';
import type { Sample } from '../../../collectors/sample.js';
import type { Stage } from '../../../collectors/stage.js';
import { numberingStage, sortingStage } from './small-pipeline.js';

/** The small pipeline's stages, slow enough for several processes to get a share. */
export function sharedStages(
  onProcess: (stage: string, sample: Sample) => unknown = () => {},
): readonly Stage[] {
  return [sortingStage(), { ...numberingStage(), concurrency: 2 }].map((stage) => ({
    ...stage,
    async process(sample, signal) {
      await onProcess(stage.name, sample);
      await setTimeout(20, undefined, { signal });
      return stage.process(sample, signal);
    },
  }));
}

/** Cannot decide about every fourth sample, until it has been told to. */
export function doubtfulStage(isSure: () => boolean): Stage {
  return {
    name: 'doubtful',
    options: {},
    concurrency: 2,
    async process(sample) {
      const isDoubtful = Number(sample.id.slice('run-'.length)) % 4 === 0 && !isSure();
      const verdict = isDoubtful ? 'undecided' : 'keep';
      return {
        samples: isDoubtful ? [] : [sample],
        decisions: [{ id: sample.id, rule: 'doubt', verdict, reason: 'asked' }],
      };
    },
  };
}
