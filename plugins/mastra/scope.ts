import { AsyncLocalStorage } from 'node:async_hooks';
import type { AgentRun, CallSite } from '../../core/index.js';

/** Where in which run the code at work stands: what it calls belongs there. An `AgentCall` is one. */
export interface Scope {
  readonly run: AgentRun;
  readonly site: CallSite;
  /** Whether workflows that start here are a part of Mastra's own, but for those that its users know by name. */
  readonly isMachinery?: boolean;
}

export const scopes = new AsyncLocalStorage<Scope>();
