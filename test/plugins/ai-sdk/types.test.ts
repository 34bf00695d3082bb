import { generateObject, generateText, jsonSchema, Output, streamText, ToolLoopAgent, tool } from 'ai';
import { expectTypeOf, test } from 'vitest';
import { withAuditor } from '../../../plugins/ai-sdk/index.js';
import { says, scriptedLanguageModel } from '../../contract/harnesses/scripted-language-model.js';
import { watched } from './audited.js';

const { runtime } = watched();
const model = scriptedLanguageModel(() => says('hi'));

test('the twin has the host’s type, generics and overloads included', () => {
  const agent = new ToolLoopAgent({
    model,
    callOptionsSchema: jsonSchema<{ user: string }>({ type: 'object' }),
    tools: { add: tool({ inputSchema: jsonSchema<{ a: number }>({ type: 'object' }), execute: () => 1 }) },
    output: Output.object({ schema: jsonSchema<{ sum: number }>({ type: 'object' }) }),
  });
  expectTypeOf(withAuditor(agent, runtime)).toEqualTypeOf(agent);
  const generate = withAuditor(generateText, runtime);
  expectTypeOf<typeof generate>().toEqualTypeOf<typeof generateText>();
  const stream = withAuditor(streamText, runtime);
  expectTypeOf<typeof stream>().toEqualTypeOf<typeof streamText>();
  const ask = withAuditor(generateObject, runtime);
  expectTypeOf<typeof ask>().toEqualTypeOf<typeof generateObject>();
  const solve = async (task: string, tries?: number) => `${task} ${tries}`;
  expectTypeOf(withAuditor(solve, runtime, { audit: 'overlap' })).toEqualTypeOf<typeof solve>();
  // @ts-expect-error an agent is no function: what lies between its calls is the SDK's
  withAuditor(agent, runtime, { audit: 'overlap' });
});
