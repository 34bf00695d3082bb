import { Agent, type RunContext, Runner, run as sdkRun, setTracingDisabled } from '@openai/agents';
import { expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { withAuditor } from '../../../plugins/openai-agents/index.js';
import { watched } from './audited.js';
import { ReplyingModel, says } from './replying-model.js';

setTracingDisabled(true);

interface Account {
  readonly name: string;
}

const shaped = () =>
  new Agent({
    name: 'solver',
    instructions: ({ context }: RunContext<Account>) => `You serve ${context.name}.`,
    model: new ReplyingModel(() => says('{"sum":40}')),
    outputType: z.object({ sum: z.number() }),
  });

test('the context’s and the output’s types, and whether it streams, come through a runner’s twin and run’s', async () => {
  const { runtime } = watched();
  const agent = shaped();
  const context: Account = { name: 'Ada' };
  const twin = withAuditor(new Runner(), runtime);
  const run = withAuditor(sdkRun, runtime);
  expectTypeOf(twin).toEqualTypeOf<Runner>();
  expectTypeOf(run).toEqualTypeOf<typeof sdkRun>();

  const whole = await twin.run(agent, 'add', { context });
  const bareWhole = () => new Runner().run(agent, 'add', { context });
  expectTypeOf(whole).toEqualTypeOf<Awaited<ReturnType<typeof bareWhole>>>();
  expectTypeOf(whole.finalOutput).toEqualTypeOf<{ sum: number } | undefined>();
  expect(whole.finalOutput).toEqual({ sum: 40 });

  const streamed = await run(agent, 'add', { context, stream: true });
  const bareStream = () => sdkRun(agent, 'add', { context, stream: true });
  expectTypeOf(streamed).toEqualTypeOf<Awaited<ReturnType<typeof bareStream>>>();
  expectTypeOf(streamed.finalOutput).toEqualTypeOf<{ sum: number } | undefined>();
  await streamed.completed;
  expect(streamed.finalOutput).toEqual({ sum: 40 });
});

test('an agent is no host', () => {
  const { runtime } = watched();
  // @ts-expect-error an agent has no run of its own
  expect(() => withAuditor(shaped(), runtime)).toThrow('this is an agent');
});
