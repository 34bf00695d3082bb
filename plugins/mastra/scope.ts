import { AsyncLocalStorage } from 'node:async_hooks';
import type { AgentRun, CallSite } from '../../core/index.js';

/** Where in which run the code at work stands: what it calls belongs there. An `AgentCall` is one. */
export interface Scope {
  readonly run: AgentRun;
  readonly site: CallSite;
}

export const scopes = new AsyncLocalStorage<Scope>();
