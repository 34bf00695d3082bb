import { type ToolCall, type TurnInput, turnKindSchema, type Usage } from './turn.js';
import type { PathSegment, TurnPath } from './turn-path.js';

/**
 * The quick way to read a turn that is one: what `turnInputSchema` makes of it, without its cost. A copy, as the
 * schema's would be; arguments are passed on.
 * @returns nothing for what is no turn, of which the schema must say why
 */
export function readPlainTurn(input: unknown): TurnInput | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  const { id, agent, kind, thought, content, toolCalls, toolCallId, toolName, isError, handoffTo } =
    input as Fields;
  const { path, given, at, durationMs, usage } = input as Fields;
  const isPlain =
    (id === undefined || isName(id)) &&
    isName(agent) &&
    KINDS.has(kind) &&
    isTextOrNone(thought) &&
    typeof content === 'string' &&
    isTextOrNone(toolCallId) &&
    isTextOrNone(toolName) &&
    isFlagOrNone(isError) &&
    isTextOrNone(handoffTo) &&
    isFlagOrNone(given) &&
    (at === undefined || Number.isFinite(at)) &&
    isAmountOrNone(durationMs);
  if (!isPlain) return undefined;
  const readPath = path === undefined ? undefined : readPlainPath(path);
  const readUsage = usage === undefined ? undefined : readPlainUsage(usage);
  const readCalls = toolCalls === undefined ? undefined : readPlainCalls(toolCalls);
  if (readPath === null || readUsage === null || readCalls === null) return undefined;
  return {
    id,
    agent,
    kind,
    thought,
    content,
    toolCalls: readCalls,
    toolCallId,
    toolName,
    isError,
    handoffTo,
    path: readPath,
    given,
    at,
    durationMs,
    usage: readUsage,
  } as TurnInput;
}

type Fields = Readonly<Record<string, unknown>>;

const KINDS: ReadonlySet<unknown> = new Set(turnKindSchema.options);

/** @returns null for what is no path */
function readPlainPath(path: unknown): TurnPath | null {
  if (!Array.isArray(path)) return null;
  const read: PathSegment[] = [];
  for (const segment of path) {
    if (typeof segment !== 'object' || segment === null || Array.isArray(segment)) return null;
    const { step, lane } = segment as Fields;
    if (!Number.isSafeInteger(step) || (step as number) < 0 || typeof lane !== 'string') return null;
    read.push({ step: step as number, lane });
  }
  return read;
}

/** @returns null for what is no list of calls */
function readPlainCalls(calls: unknown): readonly ToolCall[] | null {
  if (!Array.isArray(calls)) return null;
  const read: ToolCall[] = [];
  for (const call of calls) {
    if (typeof call !== 'object' || call === null || Array.isArray(call)) return null;
    const { id, name, args, error } = call as Fields;
    if (typeof id !== 'string' || typeof name !== 'string' || args === undefined || !isTextOrNone(error))
      return null;
    read.push({ id, name, args, error } as ToolCall);
  }
  return read;
}

/** @returns null for what is no usage */
function readPlainUsage(usage: unknown): Usage | null {
  if (typeof usage !== 'object' || usage === null || Array.isArray(usage)) return null;
  const { inputTokens, outputTokens, cachedInputTokens } = usage as Fields;
  const isUsage = [inputTokens, outputTokens, cachedInputTokens].every(isAmountOrNone);
  return isUsage ? ({ inputTokens, outputTokens, cachedInputTokens } as Usage) : null;
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isTextOrNone(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function isFlagOrNone(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean';
}

function isAmountOrNone(value: unknown): boolean {
  return value === undefined || (Number.isFinite(value) && (value as number) >= 0);
}
