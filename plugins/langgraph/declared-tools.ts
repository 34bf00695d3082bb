import type { ToolSpec } from '../../core/index.js';

/** The tools that a graph's tool nodes hold, in sub-graphs too; what agents in functions hold cannot be seen from outside. */
export function declaredTools(graph: unknown): readonly ToolSpec[] {
  const found = new Map<string, ToolSpec>();
  collect(graph, found, new Set());
  return [...found.values()];
}

function collect(value: unknown, found: Map<string, ToolSpec>, visited: Set<object>): void {
  if (typeof value !== 'object' || value === null || visited.has(value)) return;
  visited.add(value);
  const { graph, nodes, bound, subgraphs, tools } = value as Record<string, unknown>;
  for (const tool of Array.isArray(tools) ? tools : []) {
    const { name, description } = (tool ?? {}) as { name?: unknown; description?: unknown };
    if (typeof name === 'string' && !found.has(name)) {
      found.set(name, typeof description === 'string' ? { name, description } : { name });
    }
  }
  const inner = typeof nodes === 'object' && nodes !== null ? Object.values(nodes) : [];
  for (const part of [graph, bound, ...(Array.isArray(subgraphs) ? subgraphs : []), ...inner])
    collect(part, found, visited);
}
