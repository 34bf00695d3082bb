import type { Runtime } from '../../core/index.js';
import { handingOn } from './handing-on.js';
import type { WorkflowHost } from './hosts.js';
import { entering } from './tap.js';
import { tapRunsOf } from './workflow-tap.js';

/** The workflow's audited twin: its runs are the workflow's own, but that what they do is audited. */
export function auditedWorkflow<Host extends WorkflowHost>(host: Host, runtime: Runtime): Host {
  const enter = (call: () => unknown) => entering.run(runtime, call);
  return handingOn(host, enter, (name, result) => {
    if (name !== 'createRun') return result;
    return (result as Promise<object>).then((run) => {
      tapRunsOf(run);
      return handingOn(run, enter, (_name, of) => of);
    });
  });
}
