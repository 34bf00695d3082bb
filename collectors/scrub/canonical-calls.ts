import { type JsonValue, type ToolCall, toAfTrajTurn } from '../../core/index.js';
import { actionCalls, toToolCalls } from '../importers/aftraj-action.js';
import type { SampleTurn } from '../sample.js';
import { parsePythonLiteral } from './python-literal.js';
import { type ScrubRule, turnsChanged } from './scrub-rule.js';

/**
 * One way to write calls and their answers: JSON without blanks, arguments in the order of their names. In AFTraj, spaced
 * arguments and calls printed as Python literals are signs of a turn that was written into a run.
 */
export const canonicalCalls: ScrubRule = {
  name: 'canonical-calls',
  scrub(sample) {
    const turns = turnsChanged(sample.turns, (turn) => canonicalAnswers(canonical(turn)));
    return turns === sample.turns ? sample : { ...sample, turns };
  },
};

function canonical(turn: SampleTurn): SampleTurn {
  const { action: _, ...bare } = fromPython(turn);
  const action = fromPython(turn).action;
  const toolCalls = bare.toolCalls?.map(sorted);
  const ordered: SampleTurn = toolCalls ? { ...bare, toolCalls } : bare;
  const written = action === undefined ? undefined : canonicalAction(action);
  const next =
    written === undefined || written === toAfTrajTurn(ordered as Parameters<typeof toAfTrajTurn>[0]).action
      ? ordered
      : { ...ordered, action: written };
  return JSON.stringify(next) === JSON.stringify(turn) ? turn : next;
}

/** `[{'name': 'run_tests', …}]`, which an importer keeps whole, as the calls that it stands for. */
function fromPython(turn: SampleTurn): SampleTurn {
  const [call, ...others] = turn.toolCalls ?? [];
  if (!call || others.length > 0 || call.name !== 'action' || typeof call.args !== 'string') return turn;
  if (!/^\s*\[\s*\{\s*'/.test(call.args)) return turn;
  const literal = parsePythonLiteral(call.args);
  if (literal === undefined) return turn;
  const action = JSON.stringify(literal);
  return actionCalls(action) ? { ...turn, action, toolCalls: toToolCalls(action) } : turn;
}

function canonicalAction(action: string): string {
  const calls = actionCalls(action);
  if (!calls) return action;
  return JSON.stringify(
    calls.map(({ name, arguments: args, id }) => ({
      name,
      arguments: typeof args === 'string' ? canonicalJson(args) : JSON.stringify(args),
      ...(id !== undefined && { id }),
    })),
  );
}

function sorted(call: ToolCall): ToolCall {
  return { ...call, args: sortedKeys(call.args) };
}

/** AFTraj's `environment` turns: `[{"name": "compute", "result": "3", "call_id": "call_0000"}]`. */
function canonicalAnswers(turn: SampleTurn): SampleTurn {
  if (turn.kind !== 'tool' || !/^\s*\[\s*\{/.test(turn.content)) return turn;
  const content = canonicalJson(turn.content, (value) => value);
  return content === turn.content ? turn : { ...turn, content };
}

/** What is no JSON stays as it is. */
function canonicalJson(text: string, order = sortedKeys): string {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
  // A number that a double cannot hold would be changed.
  return /\d{16}/.test(text.replace(/"(?:[^"\\]|\\.)*"/g, '')) ? text : JSON.stringify(order(value));
}

function sortedKeys(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sortedKeys);
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, item]) => [key, sortedKeys(item)]),
  );
}
