import { auditedEngine } from './audited-engine.js';
import { type Scope, scopes } from './scope.js';
import { StepAtWork } from './step-at-work.js';
import { entering } from './tap.js';
import { ToolScope } from './tool-scope.js';
import { type Params, type Work, type WorkflowResult, type WorkflowRun, wholeRun } from './workflow-run.js';
import { WorkflowScope } from './workflow-scope.js';

/** To what all ways of running a workflow come down, streamed or not. */
const METHODS = ['_start', '_resume', '_restart', '_timeTravel'] as const;

type Method = (this: WorkflowRun, params: Params) => Promise<WorkflowResult>;

const tapped = new WeakSet<object>();

/** Workflows within workflows, and those that code calls, are run past any twin: so their class is tapped, once. */
export function tapRunsOf(run: object): void {
  for (let type = Object.getPrototypeOf(run); type && type !== Object.prototype; ) {
    if (tapped.has(type)) return;
    tapped.add(type);
    for (const method of METHODS) if (Object.hasOwn(type, method)) tap(type, method);
    type = Object.getPrototypeOf(type);
  }
}

function tap(type: Record<string, Method>, name: Work['name']): void {
  const original = type[name] as Method;
  const travelling = type['_timeTravel'] as Method;
  Object.defineProperty(type, name, {
    configurable: true,
    writable: true,
    value: function (this: WorkflowRun, params: Params): Promise<WorkflowResult> {
      const runtime = entering.getStore();
      const scope = scopes.getStore();
      const outer = scope && (!runtime || scope.run.runtime === runtime) ? scope : undefined;
      if (outer) {
        if (isOfUsers(this, outer)) this.executionEngine = auditedEngine(this.executionEngine);
        return entering.run(undefined, () => original.call(this, params));
      }
      if (!runtime) return original.call(this, params);
      const work: Work = {
        name,
        params,
        original: (given) => original.call(this, given),
        timeTravel: (given) => travelling.call(this, given),
      };
      return entering.run(undefined, () => wholeRun(this, runtime, work));
    },
  });
}

/** Agents and networks run workflows of Mastra's own; there only those that it knows by name are its users'. Tools do not. */
function isOfUsers({ mastra, workflowId }: WorkflowRun, scope: Scope): boolean {
  if (scope instanceof StepAtWork || scope instanceof WorkflowScope || scope instanceof ToolScope)
    return true;
  return Object.values(mastra?.listWorkflows() ?? {}).some(({ id }) => id === workflowId);
}
