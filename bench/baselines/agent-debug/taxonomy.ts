/** Parts of an agent's step in which AgentDebug looks for errors, in its order, and what kinds of errors it tells apart. */
export const taxonomy = {
  memory: {
    over_simplification: 'what came before is summed up so that details which matter are lost',
    memory_retrieval_failure: 'something that was observed before, and is needed now, is not recalled',
    hallucination: 'something is recalled that was never observed or done',
  },
  reflection: {
    progress_misjudge:
      'how far the task has come is judged too high or too low, or that it is done is not seen',
    outcome_misinterpretation: 'the result of an action is read wrongly',
    causal_misattribution: 'a failure is seen, and put down to a wrong cause',
    hallucination: 'something is believed to be done that was only planned, or never happened',
  },
  planning: {
    constraint_ignorance: 'the plan leaves out a condition or limit of the task',
    impossible_action: 'the plan holds an action that cannot be done in this state',
    inefficient_plan: 'the plan could work, but wastes steps or repeats what was done',
  },
  action: {
    misalignment: 'the action does not do what was planned',
    invalid_action: 'the action or tool does not exist',
    format_error: 'the action is malformed, so that it cannot be carried out',
    parameter_error: 'the action or call has wrong or unreasonable arguments, or its computation is wrong',
  },
  system: {
    step_limit: 'work that was going right is cut off by the limit of steps',
    tool_execution_error: 'a tool fails or answers wrongly by itself',
    llm_limit: "the model's own limits cut its output off",
    environment_error: 'the environment breaks its own rules, or is gone',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

export type Module = keyof typeof taxonomy;

/** The kinds of a module as a question lists them. */
export function kindsOf(module: Module): string {
  return Object.entries(taxonomy[module])
    .map(([kind, meaning]) => `- ${kind}: ${meaning}`)
    .join('\n');
}
