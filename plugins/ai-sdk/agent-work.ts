import type { AgentCall, Outcome } from '../../core/index.js';
import { haltOn } from './halt.js';
import { isPart, newestToolParts, type Part, resultIn } from './messages.js';
import type { Scope } from './scope.js';
import { isAnswer, isClientCall, toAnswer, toSaid } from './to-turn.js';

/** One call of `generateText`, `streamText` or their like: one agent at work. */
export class AgentWork {
  readonly call: AgentCall;
  /** Where its tools, and its model, call others. */
  readonly inside: Scope;
  readonly #outer: Scope;
  /** What tools gave and no model call was told of yet, by the id of the call. */
  readonly #ran = new Map<string, Part>();

  constructor(scope: Scope, agent: string) {
    this.#outer = scope;
    this.call = scope.host.run.begin(agent, scope.site);
    this.inside = { host: scope.host, site: this.call.site, isInAgent: true };
  }

  /** A tool is done. Its answer is told when the agent gets it: in the order of the calls, not of who was quicker. */
  ran(output: Part): void {
    this.#ran.set(String(output['toolCallId']), output);
  }

  /** @param messages what the model is about to be asked; empty where the host hides them from telemetry */
  async beforeModel(messages: readonly unknown[]): Promise<void> {
    this.#hear(newestToolParts(messages));
    haltOn(await this.call.beforeModel());
  }

  /** @param content of the model's answer @throws AuditHaltError before anything can follow it */
  async afterModel(content: readonly Part[], usage: unknown): Promise<void> {
    this.call.said(() => toSaid(content, usage));
    this.#answer(content);
    haltOn(await (content.some(isClientCall) ? this.call.beforeAction() : this.call.beforeAnswer()));
  }

  /** @param content of the last step: its tools' answers have gone to no model. */
  finish(content: readonly Part[]): void {
    this.#hear([]);
    this.#answer(content);
    if (this.#outer.isInAgent) return;
    for (const { type, isAutomatic, approvalId } of content) {
      if (type === 'tool-approval-request' && isAutomatic !== true) {
        this.#outer.host.approvals.add(String(approvalId));
      }
    }
  }

  leave(outcome: Outcome): void {
    this.call.leave();
    this.#outer.host.leaves(this, outcome);
  }

  #hear(parts: readonly Part[]): void {
    for (const part of parts) {
      const { type, toolCallId, approvalId } = part;
      if (type === 'tool-result') this.#answered(toolCallId, () => resultIn(part));
      else if (type === 'tool-approval-response') this.#outer.host.approvals.delete(String(approvalId));
    }
    this.#answer([...this.#ran.values()]);
    this.#ran.clear();
  }

  #answer(content: readonly Part[]): void {
    for (const part of content) {
      if (isAnswer(part)) this.#answered(part['toolCallId'], () => toAnswer(part));
    }
  }

  /** What a halted agent gives to the tool that called it is our own word. */
  #answered(toolCallId: unknown, read: () => { content: string; isError?: true }): void {
    if (!this.call.run.stopped) this.call.answered(String(toolCallId), read);
  }
}

/** The parts of a step's content, whatever stands there. */
export function contentOf(step: unknown): readonly Part[] {
  const content = isPart(step) ? step['content'] : undefined;
  return Array.isArray(content) ? content.filter(isPart) : [];
}
