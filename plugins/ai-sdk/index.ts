import { type Plugin, type Runtime, requireRuntime, SetupError } from '../../core/index.js';
import {
  type AgentHost,
  auditedAgent,
  auditedFunction,
  type FunctionHost,
  type FunctionOptions,
} from './hook.js';

export { AuditHaltError } from './halt.js';
export type { AgentHost, FunctionHost, FunctionOptions } from './hook.js';

export const aiSdkPlugin: Plugin<AgentHost | FunctionHost> = { framework: 'ai-sdk', hook: withAuditor };

/**
 * Returns the audited twin of an agent, of one of the SDK's functions, or of a function of yours that calls agents; it has
 * the same type, and the host itself stays as it was. All agents inside are seen, those in tools too, and one call is one
 * run.
 *
 * When the auditor raises an alarm, no later model call or tool starts. Promises reject with {@link AuditHaltError} (an
 * `AuditHalt`); a stream ends with it.
 *
 * @example const agent = withAuditor(new ToolLoopAgent({ model, tools }), createRuntime());
 * @example const generateText = withAuditor(ai.generateText, createRuntime());
 * @example const solve = withAuditor(async (task: string) => solver.generate({ prompt: await plan(task) }), createRuntime());
 * @throws SetupError for what is neither agent nor function, for a generator function, and for what is no runtime
 */
export function withAuditor<Host extends AgentHost>(agent: Host, runtime: Runtime): Host;
export function withAuditor<Host extends FunctionHost>(
  call: Host,
  runtime: Runtime,
  options?: FunctionOptions,
): Host;
export function withAuditor<Host extends AgentHost | FunctionHost>(host: Host, runtime: Runtime): Host;
export function withAuditor(
  host: AgentHost | FunctionHost,
  runtime: Runtime,
  options: FunctionOptions = {},
): AgentHost | FunctionHost {
  requireRuntime('ai-sdk', runtime);
  if (isGenerator(host)) {
    throw new SetupError(
      'ai-sdk',
      'this is a generator, whose code runs where its reader calls it, out of the run’s reach',
      'Pass an async function that returns the stream, or hook the agents inside',
    );
  }
  if (typeof host === 'function') return auditedFunction(host, runtime, options);
  if (isAgent(host)) return auditedAgent(host, runtime);
  throw new SetupError(
    'ai-sdk',
    'this is no agent',
    'Pass a ToolLoopAgent, generateText or streamText, or a function that calls agents',
  );
}

function isGenerator(host: unknown): boolean {
  return /^\[object (Async)?GeneratorFunction\]$/.test(Object.prototype.toString.call(host));
}

function isAgent(host: unknown): host is AgentHost {
  const has = (name: string) => typeof host === 'object' && host !== null && name in host;
  return has('generate') && has('stream');
}
