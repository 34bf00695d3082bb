import { z } from 'zod';
import type { Judge } from '../../../collectors/judge/judge.js';
import type { Stage, StageDecision } from '../../../collectors/stage.js';

const coherenceSchema = z.object({ coherent: z.boolean(), reason: z.string() });

/** Finds everything coherent, a moment later, as a model on the same machine would. */
export function scriptedJudge(): Judge {
  return {
    name: 'scripted',
    async ask({ schema }) {
      await new Promise(setImmediate);
      return { answer: schema.parse({ coherent: true, reason: 'fits its sub-goal' }) };
    },
  };
}

/** The shape of a filter's work: schema-checked calls, and a judge asked about every turn of an agent. */
export function scriptedFilter(judge: Judge): Stage {
  return {
    name: 'filter',
    options: { judge: judge.name },
    concurrency: 8,
    async process(sample, signal) {
      const { id, task, turns } = sample;
      const broken = turns.some(({ toolCalls = [] }) => toolCalls.some(({ error }) => error !== undefined));
      const asked = turns.flatMap(({ kind }, step) => (kind === 'agent' ? [step] : []));
      const replies = await Promise.all(
        asked.map((step) => {
          const shown = turns.slice(0, step + 1).map(({ agent, content }) => ({ agent, content }));
          const prompt = JSON.stringify({ task, turns: shown });
          return judge.ask({ system: 'Is the last turn coherent?', prompt, schema: coherenceSchema }, signal);
        }),
      );
      const coherent = replies.every(({ answer }) => answer?.coherent);
      const decisions: StageDecision[] = [
        {
          id,
          rule: 'integrity',
          verdict: 'keep',
          reason: broken ? 'an invalid call' : 'all calls are valid',
        },
        { id, rule: 'coherence', verdict: coherent ? 'keep' : 'drop', reason: 'every turn was judged' },
      ];
      return { samples: coherent ? [sample] : [], decisions };
    },
  };
}
