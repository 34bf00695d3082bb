import { setTimeout as pause } from 'node:timers/promises';
import type { TurnInput, TurnPath } from '../../../core/index.js';
import { type AuditedLoop, type Loop, manualPlugin, type Report } from '../../../plugins/manual/index.js';
import { type AgentStep, type Harness, type Scenario, type Step, spoken, type Watch } from '../index.js';

/** A hand-written loop that plays scenarios: what a user of `agentforesight/manual` would write, with every case in it. */
export const manualHarness: Harness<Loop<unknown>, AuditedLoop<unknown>> = {
  plugin: manualPlugin,
  build:
    (scenario, watch) =>
    async (task, report): Promise<string[]> => {
      const loop = new ScenarioLoop(scenario, watch, task, report);
      await loop.row(scenario.steps, []);
      return loop.said;
    },
  run: (loop, { task }) => loop(task, async () => {}),
};

class ScenarioLoop {
  readonly said: string[] = [];
  readonly #scenario: Scenario;
  readonly #watch: Watch;
  readonly #task: string;
  readonly #report: Report;
  readonly #thrown = new Map<string, number>();

  constructor(scenario: Scenario, watch: Watch, task: string, report: Report) {
    this.#scenario = scenario;
    this.#watch = watch;
    this.#task = task;
    this.#report = report;
  }

  async row(steps: readonly Step[], path: TurnPath): Promise<void> {
    for (const [at, step] of steps.entries()) {
      if ('agent' in step) await this.#tried(step, path);
      else
        await Promise.all(
          step.lanes.map((lane, number) => this.row(lane, [...path, { step: at, lane: String(number) }])),
        );
    }
  }

  async #tried(step: AgentStep, path: TurnPath): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#agent(step, path);
      } catch (error) {
        if (attempt >= (step.attempts ?? 1)) throw error;
      }
    }
  }

  async #agent(step: AgentStep, path: TurnPath): Promise<void> {
    const { agent, takesMs = 0, throws, asks, leads, swallows, calls } = step;
    const tell = (turn: Omit<TurnInput, 'agent'>) => this.#report({ agent, path, ...turn });
    if (takesMs > 0) await pause(takesMs);
    const thrown = this.#thrown.get(agent) ?? 0;
    if (throws && thrown < throws.times) {
      this.#thrown.set(agent, thrown + 1);
      this.#watch.ran(agent);
      throw throws.error;
    }
    if (asks !== undefined) throw new Error('a loop that asks a human waits in its own code');
    if (leads) {
      const team = this.row(leads, path);
      await (swallows ? team.catch(() => {}) : team);
    }
    if (calls) {
      const { tool, args, answers, fails } = calls;
      this.#watch.ran(agent, this.#scenario.unsaid);
      await tell({ kind: 'agent', content: '', toolCalls: [{ id: `${agent}-call`, name: tool, args }] });
      this.#watch.ran(tool);
      const answer = { toolCallId: `${agent}-call`, toolName: tool, content: answers };
      await tell({ kind: 'tool', ...answer, ...(fails ? { isError: true } : {}) });
    }
    this.#watch.ran(agent, this.#scenario.unsaid);
    const line = spoken(step, this.#task);
    await tell({ kind: 'agent', content: line });
    this.said.push(line);
  }
}
