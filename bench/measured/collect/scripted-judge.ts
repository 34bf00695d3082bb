import type { Judge } from '../../../collectors/judge/judge.js';

/** Finds every turn that it is asked about aligned, a moment later, as a model on the same machine would. */
export function scriptedJudge(): Judge {
  return {
    name: 'scripted',
    async ask({ schema, prompt }) {
      await new Promise(setImmediate);
      const { judge } = JSON.parse(prompt.slice(prompt.trimEnd().lastIndexOf('\n'))) as { judge: number[] };
      return { answer: schema.parse({ aligned: judge, misaligned: [] }) };
    },
  };
}
