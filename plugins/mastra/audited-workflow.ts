import { type Runtime, SetupError } from '../../core/index.js';
import { handingOn } from './handing-on.js';
import type { WorkflowHost } from './hosts.js';
import { entering } from './tap.js';
import { tapRunsOf } from './workflow-tap.js';

/** Whether Mastra runs it in this process, step by step: others are events, or steps of another service. */
export function isInProcess({ engineType = 'default' }: WorkflowHost): boolean {
  return engineType === 'default';
}

/**
 * The workflow's audited twin: its runs are the workflow's own, but that what they do is audited.
 * @throws SetupError for one that another engine runs
 */
export function auditedWorkflow<Host extends WorkflowHost>(host: Host, runtime: Runtime): Host {
  if (!isInProcess(host)) {
    const what = `workflow "${host.id}" is run by the engine "${host.engineType}", where steps cannot be held`;
    throw new SetupError('mastra', what, 'Hook the agents that its steps call');
  }
  const enter = (call: () => unknown) => entering.run(runtime, call);
  return handingOn(host, enter, (name, result) => {
    if (name !== 'createRun') return result;
    return (result as Promise<object>).then((run) => {
      tapRunsOf(run);
      return handingOn(run, enter, (_name, of) => of);
    });
  });
}
