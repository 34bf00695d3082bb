import { type Agent, Runner } from '@openai/agents';
import { expect, expectTypeOf, test } from 'vitest';
import { AuditHalt } from '../../../core/index.js';
import { withAuditor } from '../../../plugins/openai-agents/index.js';
import { errorOf, replying, strict, watched } from './audited.js';

/** What users derive from a runner: methods of their own that run agents by it, and fields that only it has. */
class Desk extends Runner {
  #asked = 0;

  get asked(): number {
    return this.#asked;
  }

  async ask(agent: Agent, task: string): Promise<unknown> {
    this.#asked++;
    return (await this.run(agent, task)).finalOutput;
  }
}

test('agents that a runner’s own methods run are audited when they are called through the twin', async () => {
  const { runtime, told, outcomes, of } = watched({ auditor: strict() });
  const desk = new Desk({ tracingDisabled: true });
  const twin = withAuditor(desk, runtime);
  expectTypeOf(twin).toEqualTypeOf<Desk>();
  expect(await twin.ask(replying('boss', 'fine'), 'go')).toBe('fine');
  expect(await errorOf(twin.ask(replying('boss', 'wrong'), 'go'))).toBeInstanceOf(AuditHalt);
  expect(told()).toEqual(['user, user: go', 'boss, agent: fine', 'user, user: go', 'boss, agent: wrong']);
  expect(outcomes()).toEqual(['completed', 'halted']);
  expect([twin.asked, twin.constructor]).toEqual([2, Desk]);
  expect(await desk.ask(replying('boss', 'wrong'), 'go')).toBe('wrong');
  expect(of('run')).toHaveLength(2);
});
