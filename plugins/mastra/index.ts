import { type Plugin, type Runtime, requireRuntime, SetupError } from '../../core/index.js';
import { auditedAgent } from './audited-agent.js';
import { auditedWorkflow } from './audited-workflow.js';
import { isAgent, isMastra, isWorkflow, type MastraHost } from './hosts.js';
import { auditedMastra } from './mastra-instance.js';
import { tapOurCopy } from './taps.js';

export { type AuditorTripwire, auditHalt, type HaltMetadata, isAuditorTripwire } from './halt.js';
export type { MastraHost } from './hosts.js';
export { mastraReplayer, type WorkflowReplayerOptions } from './workflow-replayer.js';

export const mastraPlugin: Plugin<MastraHost> = { framework: 'mastra', hook: withAuditor };

/**
 * Returns the audited twin of an agent, a workflow or a whole `Mastra`, of the same type; the host itself stays as it
 * was. Hook the outermost: the sub-agents, workflows and agents called in tools and steps are seen through it.
 *
 * When the auditor raises an alarm, nothing that follows runs, and the result says so the way Mastra's own processors do:
 * {@link isAuditorTripwire} tells, nothing is thrown.
 *
 * @example const agent = withAuditor(new Agent({ … }), createRuntime());
 * @throws SetupError for what is no host of Mastra's, or no runtime
 */
export function withAuditor<Host extends MastraHost>(host: Host, runtime: Runtime): Host {
  requireRuntime('mastra', runtime);
  tapOurCopy();
  if (isAgent(host)) return auditedAgent(host, runtime);
  if (isWorkflow(host)) return auditedWorkflow(host, runtime);
  if (isMastra(host)) return auditedMastra(host, runtime);
  throw new SetupError('mastra', 'this is no agent, workflow or Mastra', 'Pass what Mastra runs');
}
