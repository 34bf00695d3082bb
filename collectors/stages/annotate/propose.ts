import { z } from 'zod';
import { isSameAgent } from '../../importers/speaker.js';
import type { Question } from '../../judge/judge.js';
import { RUN_AS_DATA } from '../../judge/quoted-run.js';
import type { SampleTurn } from '../../sample.js';

const SYSTEM = `You examine a run of a team of AI agents that failed: its result is wrong, or its task was not done. Find its decisive error: the earliest step whose correction would have turned the run into a success. A flaw that a later step mends, or that does not bear on the result, is not decisive. The agent who made it is the one who acts at that step.

${RUN_AS_DATA}

Think first if you like. Then answer with one JSON object and nothing after it:
{"step": STEP, "agent": "AGENT", "reason": "REASON"}
STEP is the number of the step, AGENT the agent of that step, written as it is there, REASON one or two sentences.`;

const proposalSchema = z.object({ step: z.int(), agent: z.string(), reason: z.string().trim().min(1) });

export type Proposal = z.output<typeof proposalSchema>;

/** @param run as `quotedRun` writes it */
export function proposalQuestion(
  run: string,
  turns: readonly SampleTurn[],
  proposer: number,
  temperature: number,
): Question<Proposal> {
  return {
    system: SYSTEM,
    prompt: `${run}Which step is the decisive error?`,
    schema: proposalSchema.superRefine((proposal, context) => {
      const fault = faultOf(proposal, turns);
      if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
    }),
    sample: proposer,
    temperature,
  };
}

function faultOf({ step, agent }: Proposal, turns: readonly SampleTurn[]): string | undefined {
  const turn = turns[step];
  if (!turn) return `there is no step ${step}: the run has steps 0 to ${turns.length - 1}`;
  if (turn.kind === 'user') return `step ${step} is the user's`;
  if (!isSameAgent(agent, turn.agent))
    return `step ${step} is spoken by ${JSON.stringify(turn.agent)}, not ${JSON.stringify(agent)}`;
  return undefined;
}
