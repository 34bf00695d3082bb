/** What is hooked is known by its shape: the host's module may be another copy than ours, CJS beside ESM. */
export interface AgentHost {
  readonly name: string;
  generate(...args: never[]): Promise<unknown>;
  stream(...args: never[]): Promise<unknown>;
}

export interface WorkflowHost {
  readonly id: string;
  readonly engineType?: string;
  createRun(...args: never[]): Promise<unknown>;
}

export interface MastraInstance {
  listAgents(): object;
  listWorkflows(...args: never[]): object;
}

export type MastraHost = AgentHost | WorkflowHost | MastraInstance;

export function isAgent(host: unknown): host is AgentHost {
  return has(host, 'generate') && has(host, 'stream') && has(host, 'getInstructions');
}

export function isWorkflow(host: unknown): host is WorkflowHost {
  return has(host, 'createRun') && has(host, 'execute');
}

export function isMastra(host: unknown): host is MastraInstance {
  return has(host, 'listAgents') && has(host, 'listWorkflows') && has(host, 'getAgent');
}

function has(host: unknown, method: string): boolean {
  return typeof host === 'object' && host !== null && typeof Reflect.get(host, method) === 'function';
}
