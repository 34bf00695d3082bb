import { AsyncLocalStorage } from 'node:async_hooks';
import type { CallSite } from '../../core/index.js';
import type { AgentWork } from './agent-work.js';
import type { HostRun } from './host-run.js';

/** Where in which audited run code is called. */
export interface Scope {
  readonly host: HostRun;
  readonly site: CallSite;
  /** Whether it is an agent's tool or model that calls, whose answer goes to that agent. */
  readonly isInAgent: boolean;
  /** The name of the agent whose call this is, where that agent was hooked itself. */
  readonly agent?: string | undefined;
  /** The first agent that begins here: where an agent or a function of the SDK was hooked, the one meant. */
  own?: AgentWork;
}

/** The SDK passes nothing of ours along, so this is how an agent in a tool knows whose run it belongs to. */
export const scopes = new AsyncLocalStorage<Scope>();
