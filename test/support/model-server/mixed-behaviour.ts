import type { SeenChat } from '../model-server.js';
import {
  after,
  alarmReply,
  type Behaviour,
  breaksOff,
  fails,
  floods,
  hangs,
  hangsUp,
  malformed,
  replies,
  SAFE,
  streams,
  usage,
  wrongSchema,
} from './behaviours.js';

/** What the server did with one request, as it knows itself. */
export interface Served {
  readonly run: number;
  readonly step: number;
  readonly did: Deed;
  /** Input tokens that it charged, different for every request; nothing where it gave no answer. */
  readonly charged: number | undefined;
  readonly seen: SeenChat;
}

/** Stands in every turn's content, so that the server knows which prefix it is asked about. */
export const mark = (run: number, step: number) => `[run ${run} step ${step}]`;

/** In parts of a thousand. */
const SHARES = {
  safe: 473,
  'safe, slowly': 100,
  'safe, as a stream': 80,
  alarm: 40,
  'no verdict': 60,
  'somebody else’s agent': 20,
  'try again soon': 50,
  'try again tomorrow': 15,
  'server fault': 50,
  overloaded: 25,
  'hang up': 20,
  'break off': 20,
  malformed: 15,
  'wrong schema': 10,
  flood: 2,
  hang: 10,
  'bad key': 5,
  'bad request': 5,
};

export type Deed = keyof typeof SHARES;

/** Answers that the client must meter, whatever they are worth. */
const isAnswer = (did: Deed) => /^safe|^alarm|^no verdict|^somebody/.test(did);

/** Every behaviour there is, by chance; but the same for the same run, step and attempt, however requests interleave. */
export function mixedBehaviour(seed: number) {
  const served: Served[] = [];
  const behave = (seen: SeenChat): Behaviour => {
    const marks = seen.body.messages[1]?.content.matchAll(/\[run (\d+) step (\d+)\]/g) ?? [];
    const [, run = Number.NaN, step = Number.NaN] = [...marks].at(-1)?.map(Number) ?? [];
    const attempt = served.filter((other) => other.run === run && other.step === step).length;
    const did = deedAt(hash(seed, run, step, attempt) % 1_000);
    const charged = isAnswer(did) ? 10_000 + served.length : undefined;
    served.push({ run, step, did, charged, seen });
    return behaviourOf(did, run, step, usage(charged ?? 0, served.length, 7));
  };
  return { behave, served };
}

function deedAt(point: number): Deed {
  let sum = 0;
  for (const [did, share] of Object.entries(SHARES) as [Deed, number][]) {
    sum += share;
    if (point < sum) return did;
  }
  throw new Error(`the shares add up to ${sum}`);
}

function behaviourOf(did: Deed, run: number, step: number, usage: object): Behaviour {
  const all: Record<Deed, () => Behaviour> = {
    safe: () => replies({ text: SAFE, usage }),
    'safe, slowly': () => after(40, replies({ text: SAFE, usage })),
    'safe, as a stream': () => streams({ text: SAFE, usage }),
    alarm: () => replies({ text: alarmReply(step, 'solver', mark(run, step)), usage }),
    'no verdict': () => replies({ text: 'All looks SAFE to me.', usage }),
    'somebody else’s agent': () => replies({ text: alarmReply(step, 'nobody'), usage }),
    'try again soon': () => fails(429, 'slow down', { 'retry-after-ms': '30' }),
    'try again tomorrow': () => fails(429, 'enough', { 'retry-after': '86400' }),
    'server fault': () => fails(500, 'oops'),
    overloaded: () => fails(503, 'busy', { 'retry-after-ms': '20' }),
    'hang up': () => hangsUp,
    'break off': () => breaksOff,
    malformed: () => malformed,
    'wrong schema': () => wrongSchema,
    flood: () => floods,
    hang: () => hangs,
    'bad key': () => fails(401, 'who are you?'),
    'bad request': () => fails(400, 'too long'),
  };
  return all[did]();
}

/** FNV-1a over the numbers, finished so that the low digits are good. */
function hash(...numbers: readonly number[]): number {
  let state = 2166136261;
  for (const number of numbers) state = Math.imul(state ^ number, 16777619);
  state = Math.imul(state ^ (state >>> 16), 0x45d9f3b);
  state = Math.imul(state ^ (state >>> 16), 0x45d9f3b);
  return (state ^ (state >>> 16)) >>> 0;
}
