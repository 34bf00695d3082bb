import { z } from 'zod';
import { isAgentTurn, jsonLine } from '../../../core/index.js';
import type { Judge, JudgeReply, Question } from '../../judge/judge.js';
import { placedTurn } from '../../judge/placed-turn.js';
import { quotedRun, RUN_AS_DATA } from '../../judge/quoted-run.js';
import type { Sample } from '../../sample.js';

const SYSTEM = `You check the turns of a run of a team of AI agents that reached its goal. A turn is aligned when what it says and does serves the sub-goal that is before its agent at that point, and follows from what the turns before it have established. A turn that is roundabout, or mends an earlier slip, is aligned; one that ignores its sub-goal, contradicts what is established, makes things up, or does another's task unasked is not.

${RUN_AS_DATA}

The last line names the steps to judge. Answer with one JSON object and nothing else, with each of those steps in one of the two lists:
{"aligned": [STEP, …], "misaligned": [{"step": STEP, "reason": "REASON"}, …]}
with REASON in one sentence.`;

const alignmentSchema = z.object({
  aligned: z.array(z.int()),
  misaligned: z.array(z.object({ step: z.int(), reason: z.string() })),
});

export type Alignment = z.output<typeof alignmentSchema>;

export interface Coherence {
  readonly misaligned: Alignment['misaligned'];
  readonly replies: readonly JudgeReply<Alignment>[];
}

/** Asks about every turn of an agent, several in one question. */
export async function coherenceOf(
  sample: Sample,
  judge: Judge,
  turnsPerQuestion: number,
  signal: AbortSignal,
): Promise<Coherence> {
  const steps = sample.turns.flatMap((turn, step) => (isAgentTurn(placedTurn(turn, step)) ? [step] : []));
  const parts = Array.from({ length: Math.ceil(steps.length / turnsPerQuestion) }, (_, part) =>
    steps.slice(part * turnsPerQuestion, (part + 1) * turnsPerQuestion),
  );
  const replies = await Promise.all(parts.map((part) => judge.ask(alignmentQuestion(sample, part), signal)));
  return { misaligned: replies.flatMap(({ answer }) => answer?.misaligned ?? []), replies };
}

/** Shows the run as far as the last step that is asked about: no turn is judged by what came of it. */
function alignmentQuestion(sample: Sample, steps: readonly number[]): Question<Alignment> {
  const turns = sample.turns.slice(0, (steps.at(-1) ?? 0) + 1);
  return {
    system: SYSTEM,
    prompt: quotedRun({ ...sample, turns }) + jsonLine({ judge: steps }),
    schema: alignmentSchema.refine(({ aligned, misaligned }) => {
      const judged = [...aligned, ...misaligned.map(({ step }) => step)].toSorted((a, b) => a - b);
      return judged.join() === steps.join();
    }, 'not each of the steps, once'),
  };
}
