import type { TurnPath } from '../../core/index.js';

/** What LangGraph's metadata tells of a node's task. */
export interface TaskInfo {
  readonly node: string;
  /** Superstep of the graph that the node belongs to. */
  readonly step: number;
  /** LangGraph's own task path, by which it too orders the writes of one superstep. */
  readonly taskPath: readonly unknown[];
  readonly namespace: string;
  /** The name given to `createAgent`, where there is one. */
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
  const taskPath = metadata?.['langgraph_path'];
  const agentName = metadata?.['lc_agent_name'];
  return {
    node,
    namespace,
    step: typeof step === 'number' && step >= 0 ? step : 0,
    taskPath: Array.isArray(taskPath) ? taskPath : [],
    agentName: typeof agentName === 'string' && agentName !== '' ? agentName : undefined,
  };
}

/** Names that frameworks give to nodes inside an agent; the agent is then the nearest enclosing node with a name of its own. */
const GENERIC_NODE = /^(agent|model|model_request|tools|.+\.(before|after)_(model|agent))$/;

/** One node at work: from its start to its end. */
export class Task {
  readonly info: TaskInfo;
  readonly path: TurnPath;
  readonly agent: string;
  readonly startedAt = performance.now();
  /** Whether a graph ran inside. */
  ranGraph = false;
  #calls = 0;
  #openCalls = 0;

  constructor(info: TaskInfo, parent: TurnPath, enclosing: Task | undefined) {
    this.info = info;
    this.path = [...parent, { step: info.step, lane: laneOf(info) }];
    this.agent =
      info.agentName ?? (GENERIC_NODE.test(info.node) ? (enclosing?.agent ?? info.node) : info.node);
  }

  /**
   * A graph starts inside this task: the place of its turns. Calls that follow one another are steps of their own; calls
   * that overlap are lanes of one step, for neither can have seen the other's turns.
   */
  enterCall(): TurnPath {
    this.ranGraph = true;
    if (this.#openCalls === 0) this.#calls++;
    const lane = `call/${padded(this.#openCalls++)}`;
    return [...this.path, { step: this.#calls, lane }];
  }

  leaveCall(): void {
    this.#openCalls--;
  }
}

/** Lanes sort as Pregel sorts tasks: pulled nodes before pushed ones, pushed ones by number. */
function laneOf({ node, taskPath }: TaskInfo): string {
  const [kind, ...rest] = taskPath;
  if (kind !== '__pregel_push') return `pull/${node}`;
  return ['push', ...rest.slice(0, 2).map(laneKey), node].join('/');
}

function laneKey(part: unknown): string {
  if (typeof part === 'number') return padded(part);
  return Array.isArray(part) ? `(${part.map(laneKey).join(',')})` : String(part);
}

/** Lanes are compared as text. */
function padded(count: number): string {
  return String(count).padStart(6, '0');
}
