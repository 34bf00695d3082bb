import type { JsonValue } from '../../core/index.js';
import { jsonOrNothing } from '../importers/aftraj-action.js';
import type { Sample, SampleTurn } from '../sample.js';

/**
 * Takes one thing out of samples that tells their labels and is no part of what happened. It sees no label, so that safe
 * and unsafe runs are treated alike; it keeps the number of turns, so that labels stay true; twice is as good as once.
 */
export interface ScrubRule {
  /** Kebab-case: in manifests and decisions. */
  readonly name: string;
  /** The very sample where there is nothing to take out. */
  scrub(sample: Sample): Sample;
}

/** A rule for every text of a sample: the task, and of each turn what was thought and said, and what was called. */
export function textRule(name: string, scrubText: (text: string) => string, code = scrubText): ScrubRule {
  return {
    name,
    scrub(sample) {
      const task = scrubText(sample.task);
      const turns = turnsChanged(sample.turns, (turn) => scrubTurn(turn, scrubText, code));
      return task === sample.task && turns === sample.turns ? sample : { ...sample, task, turns };
    },
  };
}

/** The very list where no turn was changed. */
export function turnsChanged(
  turns: readonly SampleTurn[],
  change: (turn: SampleTurn) => SampleTurn,
): readonly SampleTurn[] {
  const changed = turns.map(change);
  return changed.every((turn, step) => turn === turns[step]) ? turns : changed;
}

function scrubTurn(
  turn: SampleTurn,
  words: (text: string) => string,
  code: (text: string) => string,
): SampleTurn {
  const content = throughJson(turn.content, words);
  const thought = turn.thought === undefined ? undefined : words(turn.thought);
  const action = turn.action === undefined ? undefined : throughJson(turn.action, code);
  const toolCalls = turn.toolCalls?.map((call) => {
    const args = mapStrings(call.args, code);
    return JSON.stringify(args) === JSON.stringify(call.args) ? call : { ...call, args };
  });
  const same =
    content === turn.content &&
    thought === turn.thought &&
    action === turn.action &&
    (toolCalls ?? []).every((call, at) => call === turn.toolCalls?.[at]);
  if (same) return turn;
  return {
    ...turn,
    content,
    ...(thought !== undefined && { thought }),
    ...(action !== undefined && { action }),
    ...(toolCalls && { toolCalls }),
  };
}

/** A text that is JSON is changed string by string, so that a quote which becomes a straight one does not break it. */
function throughJson(text: string, map: (text: string) => string): string {
  const value = /^\s*[[{]/.test(text) ? jsonOrNothing(text) : undefined;
  if (typeof value !== 'object' || value === null) return map(text);
  const changed = JSON.stringify(mapStrings(value, (inner) => throughJson(inner, map)));
  return changed === JSON.stringify(value) ? text : changed;
}

/** Of keys, too: a model writes those as well. */
function mapStrings(value: JsonValue, map: (text: string) => string): JsonValue {
  if (typeof value === 'string') return map(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, map));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [map(key), mapStrings(item, map)]));
}
