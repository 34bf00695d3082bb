import type { Prefix } from '../prefix.js';
import type { Turn } from '../turn.js';
import { isToolTurn } from './speaker.js';

export interface ToolResult {
  /** Undefined where a log names no tool. */
  readonly tool: string | undefined;
  readonly callId: string | undefined;
  readonly text: string;
  readonly isError: boolean;
}

/** How many parallel results of one model call are read back at most. */
const MAX_PARALLEL_RESULTS = 64;

const resultsOf = new WeakMap<Turn, readonly ToolResult[]>();

/**
 * The results on a tool turn: one of a live run, or all those of an AFTraj `environment` turn, whose content is a JSON
 * array such as `[{"name": "compute", "result": "10", "call_id": "call_0001"}]`.
 */
export function toolResults(turn: Turn): readonly ToolResult[] {
  if (!isToolTurn(turn)) return [];
  const known = resultsOf.get(turn);
  if (known) return known;
  const results = turn.toolName === undefined ? unpack(turn.content) : undefined;
  const isError = turn.isError ?? false;
  const found = results ?? [{ tool: toolNamed(turn), callId: turn.toolCallId, text: turn.content, isError }];
  resultsOf.set(turn, found);
  return found;
}

/** What the tools answered right before a step: with parallel calls of a live run, several turns' results. */
export function resultsBefore(prefix: Prefix, step: number): readonly ToolResult[] {
  const groups: (readonly ToolResult[])[] = [];
  for (let at = step - 1; at >= 0 && groups.length < MAX_PARALLEL_RESULTS; at--) {
    const turn = prefix.at(at);
    if (!turn || !isToolTurn(turn)) break;
    groups.push(toolResults(turn));
  }
  return groups.toReversed().flat();
}

/** `[tool: calculator] {…}` is how AFTraj's Magentic-style logs name the tool. */
function toolNamed({ toolName, content }: Turn): string | undefined {
  return toolName ?? /^\[tool: (\w{1,100})\]/.exec(content)?.[1];
}

function unpack(content: string): readonly ToolResult[] | undefined {
  if (!/^\s*\[\s*\{/.test(content)) return undefined;
  let entries: unknown;
  try {
    entries = JSON.parse(content);
  } catch {
    return undefined;
  }
  if (!Array.isArray(entries) || !entries.every(isEntry)) return undefined;
  return entries.map(({ name, result, call_id: id }) => ({
    tool: typeof name === 'string' ? name : undefined,
    callId: typeof id === 'string' ? id : undefined,
    text: typeof result === 'string' ? result : JSON.stringify(result),
    isError: false,
  }));
}

function isEntry(value: unknown): value is { name?: unknown; result: unknown; call_id?: unknown } {
  return typeof value === 'object' && value !== null && 'result' in value;
}
