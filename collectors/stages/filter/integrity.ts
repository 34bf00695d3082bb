import { isTransferCall, type ToolCall, type ToolResult, toolResults } from '../../../core/index.js';
import { placedTurn } from '../../judge/placed-turn.js';
import type { Sample, SampleTurn } from '../../sample.js';
import type { ArgumentSchemas } from './argument-schemas.js';

export interface IntegrityFault {
  readonly step: number;
  readonly fault: string;
}

export interface Integrity {
  readonly faults: readonly IntegrityFault[];
  /** What was let pass that the rule's letter would refuse, or could not be checked; each once. */
  readonly exceptions: readonly string[];
}

/** A call whose result has not come yet; without a name, one of any tool. */
interface OpenCall {
  readonly id: string;
  readonly name: string | undefined;
}

/**
 * Whether every tool call of a run is one that its host could carry out: it names a tool of the run, its arguments parse
 * and are what the tool's schema asks for, and each result answers a call made before.
 * @param codeTools tools whose arguments are source text
 */
export function integrityOf(
  { tools, turns }: Pick<Sample, 'tools' | 'turns'>,
  codeTools: readonly string[],
  schemas: ArgumentSchemas,
): Integrity {
  const faults: IntegrityFault[] = [];
  const exceptions = new Set<string>();
  const made = new Set<string>();
  let open: OpenCall[] = [];

  function faultOf(call: ToolCall): string | undefined {
    if (call.error !== undefined) {
      const isCode = codeTools.includes(call.name) && typeof call.args === 'string';
      if (!isCode) return `the call to ${call.name} could not be parsed: ${call.error}`;
      exceptions.add(`the arguments of ${call.name} are code, not JSON, and taken as they are`);
    }
    if (isTransferCall(call)) return undefined;
    if (tools.length === 0) {
      exceptions.add('the run names no tools, so that none is unknown');
      return undefined;
    }
    const tool = tools.find(({ name }) => name === call.name);
    if (!tool) return `${call.name} is none of the run's tools`;
    if (call.error !== undefined) return undefined;
    const { fault, unreadable } = schemas.check(tool, call.args);
    if (unreadable !== undefined)
      exceptions.add(`the schema of ${call.name} cannot be read, and is not applied: ${unreadable}`);
    return fault && `the call to ${call.name} does not fit its schema: ${fault}`;
  }

  function answers({ callId, tool }: ToolResult): boolean {
    if (callId) {
      open = open.filter(({ id }) => id !== callId);
      return made.has(callId);
    }
    const at = open.findIndex(({ name }) => name === undefined || tool === undefined || name === tool);
    if (at >= 0) open.splice(at, 1);
    return at >= 0;
  }

  for (const [step, turn] of turns.entries()) {
    for (const call of structuredCalls(turn)) {
      const fault = faultOf(call);
      if (fault) faults.push({ step, fault });
      if (call.id) made.add(call.id);
      open.push(call);
    }
    const written = writtenCalls(turn);
    if (written > 0) exceptions.add('calls that are written as text are counted, and not checked');
    for (let call = 0; call < written; call++) open.push({ id: '', name: undefined });
    if (turn.kind !== 'tool') continue;
    for (const result of toolResults(placedTurn(turn, step)))
      if (!answers(result))
        faults.push({ step, fault: `the result of ${result.tool ?? 'a tool'} answers no call` });
  }
  return { faults, exceptions: [...exceptions] };
}

/** An action that is no list of calls, as importers keep it. */
function isWritten({ id, name, args }: ToolCall): boolean {
  return id === '' && name === 'action' && typeof args === 'string';
}

function structuredCalls({ toolCalls = [] }: SampleTurn): readonly ToolCall[] {
  return toolCalls.filter((call) => !isWritten(call));
}

/** `call web_search({"query": "…"}); call web_search({"query": "…"})` are two; `[ThoughtEvent]` is none. */
function writtenCalls({ toolCalls = [] }: SampleTurn): number {
  return toolCalls
    .filter(isWritten)
    .reduce(
      (count, { args }) => count + [...String(args).matchAll(/(?:^|;)\s*(?:call\s+)?\w{1,100}\(/g)].length,
      0,
    );
}
