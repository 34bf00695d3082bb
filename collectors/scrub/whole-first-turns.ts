import type { ScrubRule } from './scrub-rule.js';

/**
 * Turn 0 as its task, where it is the task's beginning: AFTraj cuts the first turn of its agentic runs at 500 characters,
 * which happens to natural failures twice as often as to safe runs. Nothing else is cut; 6 of its 55 turns of that length
 * go on in other words than their tasks do, and stay.
 */
export const wholeFirstTurns: ScrubRule = {
  name: 'whole-first-turns',
  scrub(sample) {
    const [first, ...others] = sample.turns;
    if (first?.kind !== 'user' || first.content === '' || first.content === sample.task) return sample;
    if (!sample.task.startsWith(first.content)) return sample;
    return { ...sample, turns: [{ ...first, content: sample.task }, ...others] };
  },
};
