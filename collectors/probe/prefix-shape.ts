import type { TurnKind } from '../../core/index.js';
import type { SampleTurn } from '../sample.js';
import { toolResultTexts } from './tool-result-texts.js';

/** How many turns are described one by one: the newest, and those before it. */
const TURNS_SEEN = 4;

const KINDS: Readonly<Record<TurnKind, number>> = { user: 0, agent: 1, tool: 2, handoff: 3, state: 4 };

const OF_A_TURN = [
  'kind',
  'speaker, by order of appearance',
  'characters of the text',
  'characters of the thought',
  'characters of the calls',
  'number of calls',
  'tool called first, by order of appearance',
] as const;

const OF_THE_PREFIX = [
  'step',
  'tools offered',
  'agents so far',
  'agent turns so far',
  'tool turns so far',
  'calls so far',
  'thoughts so far',
  'earlier turns of this speaker',
  'turns since a tool answered',
  'turns since a call',
  'turns since the speaker changed',
  'mean characters of the texts so far',
  'longest text so far',
  'characters of the text, less those of the turn before',
  'characters of the text, less those of the results before it',
] as const;

/** What the columns of `prefixShapes` mean, in their order. */
export const SHAPE_NAMES: readonly string[] = [
  ...OF_THE_PREFIX,
  ...Array.from({ length: TURNS_SEEN }, (_, back) =>
    OF_A_TURN.map((what) => (back === 0 ? `${what}, this turn` : `${what}, ${back} back`)),
  ).flat(),
];

/** What stands where a prefix is too short to have the turn. */
const NONE = -1;

/**
 * What can be said of each prefix of a run without reading a word of it: whose turn it is, of what kind, how long, how
 * many. The row at k is of turns 0 to k; names and texts count as lengths only.
 */
export function prefixShapes(turns: readonly SampleTurn[], toolsOffered: number): readonly number[][] {
  const speakers = new Map<string, number>();
  const tools = new Map<string, number>();
  const shapes: number[][] = [];
  const tally = { agent: 0, tool: 0, calls: 0, thoughts: 0, characters: 0, longest: 0 };
  let lastTool = NONE;
  let lastCall = NONE;
  let changed = 0;
  return turns.map((turn, step) => {
    const spokenBefore = speakers.get(turn.agent) ?? 0;
    const order = spokenBefore > 0 ? [...speakers.keys()].indexOf(turn.agent) : speakers.size;
    speakers.set(turn.agent, spokenBefore + 1);
    const shape = shapeOf(turn, order, toolOrder(turn, tools));
    shapes.push(shape);
    const [, , text = 0, thought = 0, , calls = 0] = shape;
    if (turn.kind === 'agent') tally.agent++;
    if (turn.kind === 'tool') tally.tool++;
    if (thought > 0) tally.thoughts++;
    tally.calls += calls;
    tally.characters += text;
    tally.longest = Math.max(tally.longest, text);
    if (turn.agent !== turns[step - 1]?.agent) changed = step;
    const row = [
      step,
      toolsOffered,
      speakers.size,
      tally.agent,
      tally.tool,
      tally.calls,
      tally.thoughts,
      spokenBefore,
      lastTool === NONE ? NONE : step - lastTool,
      lastCall === NONE ? NONE : step - lastCall,
      step - changed,
      tally.characters / (step + 1),
      tally.longest,
      text - (turns[step - 1]?.content.length ?? 0),
      text - resultCharacters(turns[step - 1]),
      ...Array.from(
        { length: TURNS_SEEN },
        (_, back) => shapes[step - back] ?? OF_A_TURN.map(() => NONE),
      ).flat(),
    ];
    if (turn.kind === 'tool') lastTool = step;
    if (calls > 0) lastCall = step;
    return row;
  });
}

function shapeOf(
  { kind, content, thought = '', toolCalls = [], action }: SampleTurn,
  order: number,
  tool: number,
): number[] {
  const calls = toolCalls.map(({ args }) => JSON.stringify(args).length);
  const written = action?.length ?? calls.reduce((total, length) => total + length, 0);
  return [KINDS[kind], order, content.length, thought.length, written, toolCalls.length, tool];
}

function toolOrder({ toolCalls = [] }: SampleTurn, seen: Map<string, number>): number {
  for (const { name } of toolCalls) if (!seen.has(name)) seen.set(name, seen.size);
  return seen.get(toolCalls[0]?.name ?? '') ?? NONE;
}

/** Of what tools answered, without the JSON around it, as AFTraj writes several answers in one turn. */
function resultCharacters(turn: SampleTurn | undefined): number {
  if (turn?.kind !== 'tool') return 0;
  const results = toolResultTexts(turn.content);
  return results.reduce((total, text) => total + text.length + 1, -1);
}
