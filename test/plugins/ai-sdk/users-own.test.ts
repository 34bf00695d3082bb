import { type Agent, generateText, ToolLoopAgent, type ToolSet } from 'ai';
import { expect, test, vi } from 'vitest';
import { AuditHalt } from '../../../core/index.js';
import { withAuditor } from '../../../plugins/ai-sdk/index.js';
import { says, scriptedLanguageModel } from '../../contract/harnesses/scripted-language-model.js';
import { errorOf, strict, watched } from './audited.js';

const model = (words: string) => scriptedLanguageModel(() => says(words));

test('an agent of the user’s that throws before it has given a promise: the error is its own, and no run is left open', async () => {
  const { runtime, faults } = watched();
  const broken = new Error('no prompt');
  const fails = () => {
    void generateText({ model: model('late'), prompt: 'go' });
    throw broken;
  };
  const own = { version: 'agent-v1', id: 'own', tools: {}, generate: fails, stream: fails };
  const twin = withAuditor(own as unknown as Agent<never, ToolSet>, runtime);
  expect(() => twin.generate({ prompt: 'go' })).toThrow(broken);
  await vi.waitFor(() => expect(faults).toMatchObject([{ message: expect.stringContaining('own began') }]));
});

test('an agent that is asked without options fails as it does bare', async () => {
  const { runtime } = watched();
  const host = new ToolLoopAgent({ model: model('fine') });
  const ask = (agent: typeof host) => errorOf((async () => agent.generate(undefined as never))());
  const [bare, audited] = [await ask(host), await ask(withAuditor(host, runtime))];
  expect(audited).toEqual(bare);
});

class Researcher extends ToolLoopAgent {
  readonly #topic: string;

  constructor(topic: string, words: string) {
    super({ id: 'researcher', telemetry: { functionId: 'researcher' }, model: model(words) });
    this.#topic = topic;
  }

  get topic(): string {
    return this.#topic;
  }

  shout(): string {
    return this.#topic.toUpperCase();
  }

  async research(): Promise<string> {
    return (await this.generate({ prompt: this.#topic })).text;
  }
}

test('methods and getters of the user’s own class work on the twin, private fields and all', () => {
  const { runtime, faults } = watched();
  const twin = withAuditor(new Researcher('owls', 'fine'), runtime);
  expect([twin.topic, twin.shout()]).toEqual(['owls', 'OWLS']);
  expect(twin.constructor).toBe(Researcher);
  expect(faults).toEqual([]);
});

test('such a method that calls the agent is a run', async () => {
  const { runtime, told, outcomes } = watched({ auditor: strict() });
  expect(await withAuditor(new Researcher('owls', 'fine'), runtime).research()).toBe('fine');
  expect(told()).toEqual(['user, user: owls', 'researcher, agent: fine']);
  expect(await errorOf(withAuditor(new Researcher('owls', 'wrong'), runtime).research())).toBeInstanceOf(
    AuditHalt,
  );
  expect(outcomes()).toEqual(['completed', 'halted']);
});
