import type { TurnInput } from '../../../core/index.js';
import type { WalkedRun } from './walk.js';

const WORDS =
  'the price of each pump from supplier was compared with list and then checked against delivery date which seems later than order allows so we ask again before total can be confirmed in writing by team lead next week because freight customs warranty stock payment terms differ between offers received yesterday'.split(
    ' ',
  );
const AGENTS = ['planner', 'buyer', 'analyst', 'checker'];

/**
 * A run of that many turns, the same at every call: agents that think, speak and call a tool, and the tool's answers.
 * Sizes vary as in recorded runs: half of the turns have under 60 words, one in twenty over 300.
 */
export function generatedRun(turns: number): WalkedRun {
  const random = randomNumbers(turns);
  const task = `Buy ${turns} pumps. ${words(80, random)}`;
  const made: TurnInput[] = [{ agent: 'user', kind: 'user', content: task }];
  while (made.length < turns) made.push(turnAt(made.length, random));
  const tools = [
    { name: 'get_offer', description: 'Asks a supplier for an offer.' },
    { name: 'read_document', description: 'Reads a document of the order.' },
  ];
  return { runId: `generated-${turns}`, task, tools, turns: made };
}

function turnAt(step: number, random: () => number): TurnInput {
  const agent = AGENTS[Math.floor(step / 6) % AGENTS.length] as string;
  const id = `call-${Math.floor(step / 2)}`;
  const length = wordCount(random);
  if (step % 2 === 0) {
    const content = `{"supplier":"S-${step}","unitPrice":${(200 + 99 * random()).toFixed(2)},"note":"${words(length, random)}"}`;
    return { agent, kind: 'tool', toolName: 'get_offer', toolCallId: id, content };
  }
  return {
    agent,
    kind: 'agent',
    thought: words(Math.ceil(length / 2), random),
    content: words(length, random),
    toolCalls: [{ id, name: 'get_offer', args: { supplier: `S-${step + 1}`, quantity: 40 } }],
  };
}

/** Log-normal. */
function wordCount(random: () => number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.min(2_000, Math.ceil(55 * Math.exp(normal)));
}

function words(count: number, random: () => number): string {
  return Array.from({ length: count }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' ');
}

/** From 0 to 1, the same for the same seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
