import { AsyncLocalStorage } from 'node:async_hooks';
import type { CallSite } from '../../core/index.js';
import type { AgentLoop } from './agent-loop.js';
import type { RootRun } from './root-run.js';

/** Where in an audited run code is: what agents it calls are called from `site`. */
export interface Scope {
  readonly root: RootRun;
  readonly site: CallSite;
  /** The agent at work, if any. */
  readonly loop?: AgentLoop;
}

/** Outside an audited run there is none, and every tap does nothing. */
export const scopes = new AsyncLocalStorage<Scope>();

/** A method of a runner's class that was called through the runner's twin. It runs on the runner itself. */
export interface TwinCall {
  readonly runner: object;
  readonly begins: (args: readonly unknown[], host: () => Promise<unknown>) => Promise<unknown>;
}

/** A runner's method that calls `this.run` means the twin's. */
export const twinCalls = new AsyncLocalStorage<TwinCall>();
