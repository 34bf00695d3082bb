import { Agent } from '@mastra/core/agent';
import { expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { createRuntime, SetupError } from '../../../core/index.js';
import { withAuditor } from '../../../plugins/mastra/index.js';
import { audited } from '../../support/agent-runs.js';
import { agentThat } from '../../support/mastra-agents.js';

test('the twin has the agent’s type, with all that it is generic in', async () => {
  const agent = new Agent({
    id: 'solver' as const,
    name: 'solver',
    instructions: 'Solve.',
    model: 'openai/gpt-5',
    requestContextSchema: z.object({ user: z.string() }),
  });
  const twin = withAuditor(agent, createRuntime());
  expectTypeOf(twin).toEqualTypeOf(agent);
  expectTypeOf(twin.id).toEqualTypeOf<'solver'>();
});

test('structured output keeps its type through the twin', async () => {
  const twin = withAuditor(agentThat('solver', [{ text: '{"sum":40}' }]), audited().runtime);
  const { object } = await twin.generate('?', {
    structuredOutput: { schema: z.object({ sum: z.number() }) },
  });
  expectTypeOf(object).toEqualTypeOf<{ sum: number }>();
  expect(object.sum).toBe(40);
});

test('it is an agent, and its methods are the same ones each time', async () => {
  const agent = agentThat('solver', [{ text: 'x' }]);
  const twin = withAuditor(agent, audited().runtime);
  expect(twin).toBeInstanceOf(Agent);
  expect(twin.constructor).toBe(Agent);
  expect(twin.generate).toBe(twin.generate);
  expect(await twin.getInstructions()).toBe(await agent.getInstructions());
});

test('what is no host of Mastra’s is refused', () => {
  expect(() => withAuditor({ generate: 1 } as never, createRuntime())).toThrow(SetupError);
  expect(() => withAuditor(agentThat('solver', []), {} as never)).toThrow(SetupError);
});
