import type { CallOptions } from './agent-options.js';
import type { AuditHook } from './hook.js';

type OnIteration = NonNullable<CallOptions['onIterationComplete']>;
type Iteration = Parameters<OnIteration>[0];

/**
 * Whether the agent is done, as Mastra reckons it from what the host's `onIterationComplete` answers: with feedback it
 * goes on to another step even where it is told not to continue, and never beyond `maxSteps`.
 */
export function isLastStep(
  { isFinal, iteration, maxIterations }: Pick<Iteration, 'isFinal' | 'iteration' | 'maxIterations'>,
  answer: Awaited<ReturnType<OnIteration>>,
): boolean {
  if (!isFinal) return answer?.continue === false && !answer.feedback;
  return answer?.continue !== true || (maxIterations !== undefined && iteration >= maxIterations);
}

/** After a `bail()` there is no other step, whatever Mastra tells of the one that it ends. */
export function noticingBail(
  delegation: CallOptions['delegation'],
  hook: AuditHook,
): CallOptions['delegation'] {
  const complete = delegation?.onDelegationComplete;
  if (!complete) return undefined;
  return {
    ...delegation,
    onDelegationComplete: async (context) => {
      let hasBailed = false;
      const bail = () => {
        hasBailed = true;
        context.bail();
      };
      const answer = await complete({ ...context, bail }); // of one that throws Mastra takes no bail
      hook.hasBailed ||= hasBailed;
      return answer;
    },
  };
}
