import { baseName } from '../importers/speaker.js';
import type { RunCheck } from './check.js';

const HUMANS = new Set(['human', 'user']);

/** In the algorithm-generated half of Who&When the manager's task stands under an expert's name. */
export const taskSpokenByAgent: RunCheck = {
  code: 'task-spoken-by-agent',
  *find({ turns: [task] }) {
    if (task && !HUMANS.has(task.agent)) yield { step: 0, detail: `the task is spoken by "${task.agent}"` };
  },
};

/** Comparing labels by base name cannot tell these speakers apart. */
export const speakersShareBaseName: RunCheck = {
  code: 'speakers-share-base-name',
  *find({ turns }) {
    const speakers = [...new Set(turns.map(({ agent }) => agent))];
    for (const [base, forms] of Map.groupBy(speakers, baseName)) {
      if (forms.length > 1)
        yield { detail: `"${base}" speaks as ${forms.map((form) => `"${form}"`).join(', ')}` };
    }
  },
};

/** `Blu-Ray_Expert`: a name that a pattern such as `\w+` cuts in two. */
export const hyphenInSpeaker: RunCheck = {
  code: 'hyphen-in-speaker',
  *find({ turns }) {
    const speakers = new Set(turns.map(({ agent }) => agent));
    for (const speaker of speakers) {
      if (baseName(speaker).includes('-')) {
        yield {
          step: turns.findIndex(({ agent }) => agent === speaker),
          detail: `"${speaker}" has a hyphen`,
        };
      }
    }
  },
};
