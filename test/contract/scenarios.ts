import type { AgentStep, Scenario, ToolUse } from './harness.js';

export const add: ToolUse = { tool: 'add', args: { a: 17, b: 23 }, answers: '40' };

export const says = (agent: string, more: Partial<AgentStep> = {}): AgentStep => ({
  agent,
  says: `${agent} on {task}`,
  ...more,
});

export const row: Scenario = { steps: [says('planner'), says('solver'), says('verifier')] };

export const withTool: Scenario = {
  steps: [says('planner'), says('solver', { calls: add }), says('verifier')],
};

/** A team in a team in a team. */
export const nested: Scenario = {
  steps: [
    says('planner'),
    says('boss', {
      leads: [says('scout'), says('chief', { leads: [says('miner'), says('smith')] }), says('scribe')],
    }),
    says('verifier'),
  ],
};

/** All that happens in one line, in one run. */
export const everything: Scenario = {
  steps: [
    says('planner'),
    says('solver', { calls: add }),
    says('boss', { leads: [says('scout'), says('scribe', { calls: { ...add, tool: 'look-up' } })] }),
    says('verifier'),
  ],
};

/** Three lanes of two agents each, between a planner and a verifier. @param takesMs how long each lane's agents think */
export function lanes(...takesMs: readonly [number, number, number]): Scenario {
  const lane = (name: string, ms: number) => [
    says(`${name}-1`, { takesMs: ms }),
    says(`${name}-2`, { takesMs: ms }),
  ];
  const [red, green, blue] = takesMs;
  return {
    steps: [
      says('planner'),
      { lanes: [lane('red', red), lane('green', green), lane('blue', blue)] },
      says('verifier'),
    ],
  };
}
