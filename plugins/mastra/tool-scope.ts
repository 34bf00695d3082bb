import { type AgentRun, CallSite } from '../../core/index.js';
import type { Scope } from './scope.js';

/** A tool at work. It is a place of its own: agents that it calls in turn are not confused with those of a tool beside it. */
export class ToolScope implements Scope {
  readonly run: AgentRun;
  readonly site: CallSite;
  /** Whether it is a sub-agent, whose suspension Mastra passes on to its caller. */
  readonly isDelegation: boolean;
  readonly #caller: CallSite;

  constructor(toolName: string, { run, site }: Scope) {
    this.run = run;
    this.site = new CallSite(site.enter(), run.callCounts);
    this.isDelegation = toolName.startsWith('agent-');
    this.#caller = site;
  }

  leave(): void {
    this.#caller.leave();
  }
}
