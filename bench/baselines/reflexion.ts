import { z } from 'zod';
import type { Auditor, Environment, ReasonedVerdict } from '../../core/index.js';
import { baseline } from './baseline.js';
import { noteText, questionsSchema, type RunQuestions, runQuestions } from './run-questions.js';

const configSchema = questionsSchema.extend({
  /** Verdicts tried at most. The last one stands, whatever is thought of it. */
  trials: z.int().min(1).max(12).default(3),
  /** Reflections that the next trial is shown, the newest ones: the paper's Ω. */
  memory: z.int().min(1).max(10).default(3),
});

type Config = z.output<typeof configSchema>;

/**
 * An actor gives a verdict, an evaluator accepts or rejects it, and upon a rejection a reflection is written, which the
 * next trial is shown.
 *
 * The paper's evaluator knows the environment's reward or runs tests. Nobody tells an online auditor whether it was right,
 * so here it is the model itself, as in the paper's variants without ground truth: it classifies the verdict as holding or
 * not. The memory is that of one audit: the next prefix's would not know, either, which of its reflections were true.
 *
 * Calls an audit: 2 where the first verdict is accepted, to `3 * trials - 2`, by default 7; and one more for each verdict that
 * has to be asked for twice.
 */
export const reflexion = baseline({
  name: 'reflexion',
  title: 'Reflexion',
  paper: 'Shinn et al. 2023, arXiv 2303.11366',
  protocols: ['strict', 'official', 'post-hoc'],
  configSchema,
  create: reflector,
});

function reflector(config: Config, env: Environment): Auditor {
  const { trials, memory, ...rest } = config;
  // Beside the memory, the verdict under examination and the evaluator's objection.
  const about = runQuestions(rest, env, memory + 3);
  return {
    name: `reflexion ${config.model}`,
    async audit(request, options) {
      const questions = about(request, options);
      const reflections: string[] = [];
      for (let trial = 1; ; trial++) {
        const tried = await act(questions, reflections.slice(-memory));
        if (trial === trials) return tried.verdict;
        const notes = attempt(tried, config);
        const { holds, why } = await evaluate(questions, notes);
        if (holds) return tried.verdict;
        const objection = { objection: noteText(why, config.noteTokens) };
        reflections.push(noteText(await reflect(questions, [...notes, objection]), config.noteTokens));
      }
    },
  };
}

function act(questions: RunQuestions, reflections: readonly string[]): Promise<ReasonedVerdict> {
  return questions.verdict({
    notes: reflections.map((reflection, at) => ({ reflection: at + 1, text: reflection })),
    text:
      reflections.length === 0
        ? 'Give your verdict.'
        : 'You have tried before, and your verdict was rejected. The notes are what you made of that. Give your verdict.',
  });
}

function attempt({ verdict, reply }: ReasonedVerdict, { noteTokens }: Config): readonly object[] {
  const said =
    verdict.kind === 'alarm'
      ? { answer: verdict.step, agent: verdict.agent, reason: noteText(verdict.reason, noteTokens) }
      : { answer: 'SAFE' };
  return [{ verdict: said }, { reply: noteText(reply.text, noteTokens) }];
}

const EVALUATION = z.object({ holds: z.boolean(), why: z.string() });

function evaluate(questions: RunQuestions, notes: readonly object[]) {
  return questions.ask({
    purpose: 'thought',
    notes,
    schema: EVALUATION,
    text: 'The notes are a verdict on this run, and the reply that it stands in. Does it hold? An alarm holds if the step named is wrong, no later turn so far mends it, and no earlier step is the decisive error; "SAFE" holds if no step so far is a decisive error. Check it against the turns, then reply in JSON: {"holds": true or false, "why": "…"}',
  });
}

const REFLECTION = z.object({ reflection: z.string().trim().min(1) });

async function reflect(questions: RunQuestions, notes: readonly object[]): Promise<string> {
  const { reflection } = await questions.ask({
    purpose: 'thought',
    notes,
    schema: REFLECTION,
    text: 'The notes are your verdict on this run, the reply that it stands in, and why it was rejected. In a few sentences: what went wrong in your reasoning, and what will you look at, or do otherwise, in the next attempt? Reply in JSON: {"reflection": "…"}',
  });
  return reflection;
}
