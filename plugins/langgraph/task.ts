import { type CallCounts, CallSite, padded, type TurnPath } from '../../core/index.js';

/** What LangGraph's metadata tells of a node's task. */
export interface TaskInfo {
  readonly node: string;
  /** Superstep of the graph that the node belongs to. */
  readonly step: number;
  /** LangGraph's own task path, by which it too orders the writes of one superstep. */
  readonly taskPath: readonly unknown[];
  readonly namespace: string;
  /** How LangGraph names the task that called this one, in the functional API where tasks call tasks. */
  readonly caller: string | undefined;
  /** Whether the functional API runs it: a task, or an entrypoint, which alone hangs on the graph's start itself. */
  readonly functional: boolean;
  /** The name given to `createAgent`; graphs that are called from within the agent inherit it. */
  readonly agentName: string | undefined;
}

/**
 * The task that a chain run carries out, or nothing when it is a part of one, or plumbing.
 * A node's run bears the node's name; so may a graph inside the node, which then shares the namespace of the enclosing task.
 */
export function taskInfo(
  runName: string | undefined,
  metadata: Readonly<Record<string, unknown>> | undefined,
  tags: readonly string[] | undefined,
  enclosing: Task | undefined,
): TaskInfo | undefined {
  const node = metadata?.['langgraph_node'];
  const namespace = metadata?.['langgraph_checkpoint_ns'];
  if (typeof node !== 'string' || node !== runName || node === '__start__') return undefined;
  if (typeof namespace !== 'string' || namespace === enclosing?.info.namespace) return undefined;
  if (tags?.includes('langsmith:hidden')) return undefined;
  const step = metadata?.['langgraph_step'];
  const path = metadata?.['langgraph_path'];
  const taskPath = Array.isArray(path) ? path : [];
  const caller = callerIn(taskPath);
  const triggers = metadata?.['langgraph_triggers'];
  const isEntrypoint = Array.isArray(triggers) && triggers.length === 1 && triggers[0] === '__start__';
  const agentName = metadata?.['lc_agent_name'];
  return {
    node,
    namespace,
    step: typeof step === 'number' && step >= 0 ? step : 0,
    taskPath,
    caller,
    functional: isEntrypoint || caller !== undefined,
    agentName: typeof agentName === 'string' && agentName !== '' ? agentName : undefined,
  };
}

/** Names that frameworks give to nodes inside an agent; the agent is then named by its graph or the enclosing node. */
const GENERIC_NODE = /^(agent|model|model_request|tools|.+\.(before|after)_(model|agent))$/;

/** Who speaks in a node. @param agentName given to `createAgent` @param enclosing the agent around it */
export function agentOf(node: string, agentName: string | undefined, enclosing: string | undefined): string {
  return GENERIC_NODE.test(node) ? (agentName ?? enclosing ?? node) : node;
}

/** A task as LangGraph and we know it, kept for going back to before it. */
export interface TaskPlace {
  readonly namespace: string;
  readonly path: TurnPath;
  /** The task around it. */
  readonly outer: TaskPlace | undefined;
}

/** One node at work: from its start to its end. */
export class Task {
  readonly info: TaskInfo;
  readonly agent: string;
  /** Where it stands, and what is called from it. */
  readonly site: CallSite;
  readonly place: TaskPlace;
  /** The node's input, to tell what its output changes. */
  readonly input: unknown;
  /** Whether a graph or a task of its own ran inside, whose turns have been told. */
  calledGraph = false;
  /** Whether a graph or a tool was seen inside; a graph that is resumed at its end has nothing left to tell. */
  sawWork = false;
  /** What the graphs that ran inside returned: state that the node hands on from there is no news. */
  readonly innerResults: unknown[] = [];
  /** Set when the gate has let it pass: waiting for a verdict is not the node's time. */
  startedAt = performance.now();

  constructor(
    info: TaskInfo,
    parent: TurnPath,
    enclosing: Task | undefined,
    input: unknown,
    counts: CallCounts,
  ) {
    this.info = info;
    this.input = input;
    this.site = new CallSite([...parent, { step: info.step, lane: laneOf(info) }], counts);
    this.place = { namespace: info.namespace, path: this.site.path, outer: enclosing?.place };
    this.agent = agentOf(info.node, info.agentName, enclosing?.agent);
  }
}

function callerIn(taskPath: readonly unknown[]): string | undefined {
  const caller = taskPath[1];
  return taskPath[0] === '__pregel_push' && Array.isArray(caller) ? taskKey(caller) : undefined;
}

export function taskKey(taskPath: readonly unknown[]): string {
  return JSON.stringify(taskPath);
}

/** Lanes sort as Pregel sorts tasks: pulled nodes before pushed ones, pushed ones by number. */
function laneOf({ node, taskPath }: TaskInfo): string {
  if (taskPath[0] !== '__pregel_push') return `pull/${node}`;
  return ['push', ...taskPath.filter((part) => typeof part === 'number').map(padded), node].join('/');
}
