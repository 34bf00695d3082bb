/**
 * What a turn costs the host through one session with the default schedule and redactor, a no-op auditor and the JSONL
 * recorder, and how that cost grows with the length of the run.
 *
 * Every time is a median over blocks of turns, and the blocks of all rows take turns on the clock, so that whatever
 * else the machine does meets them alike.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import v8 from 'node:v8';
import vm from 'node:vm';
import {
  type AuditSession,
  createRuntime,
  jsonlRecorder,
  type Recorder,
  type TurnInput,
} from '../../core/index.js';

const USAGE = `Usage: npm run bench:session

Turns per second through one session, and the growth of a turn's cost from 100 to 100,000 turns. Takes a few minutes.
The logs lie in a folder under $TMPDIR, which is removed at the end; on a RAM disk the times say little. The table and,
as the last line, one JSON object go to stdout, progress to stderr.
`;

const LONGEST = 100_000;
const BLOCK = 1_000;

/** Times one block of turns after another, without end. */
type Blocks = AsyncGenerator<Block, never, void>;

interface Block {
  readonly turns: number;
  readonly ms: number;
}

interface Row {
  readonly label: string;
  /** One block is timed for that many blocks of the longest session. */
  readonly every: number;
  readonly start: () => Blocks;
  /** The length of its sessions, where it is one session's length that is measured. */
  readonly length?: number;
}

interface Measured extends Row {
  readonly msPerTurn: number;
  readonly heapPerTurn?: number | undefined;
  readonly logPerTurn?: number | undefined;
}

const write = promisify(fs.write);
const syncToDisk = promisify(fs.fdatasync);

async function main(folder: string): Promise<void> {
  const newLog = () => jsonlRecorder(newFile(folder));
  const rows: Row[] = [
    ...[100, 1_000, 10_000, LONGEST].map((length) => ({
      label: `one session of ${length.toLocaleString('en')} turns`,
      every: length === 100 || length === LONGEST ? 1 : 5,
      length,
      start: () => sessionsOf(length, newLog()),
    })),
    { label: '256 submits in flight', every: 10, start: () => pipelined(256, newLog()) },
    { label: '64 sessions at once', every: 10, start: () => concurrent(64, newLog()) },
    { label: 'the same bytes, written and synced without us', every: 5, start: () => bareWrites(folder) },
  ];
  process.stderr.write(`logs in ${folder}\nwarming up\n`);
  for (const { start } of rows) await start().next();
  const measured = await measureSizes(await measureTimes(rows));
  const [shortest, , , longest] = measured as [Measured, Measured, Measured, Measured];
  printTable(measured, shortest);
  const turnsPerSecond = Number((1_000 / longest.msPerTurn).toFixed(1));
  const growth = Number((longest.msPerTurn / shortest.msPerTurn).toFixed(3));
  console.log(JSON.stringify({ turnsPerSecond, growth }));
}

async function measureTimes(rows: readonly Row[]): Promise<Measured[]> {
  const timed = rows.map((row) => ({ row, blocks: row.start(), costs: [] as number[] }));
  const rounds = LONGEST / BLOCK;
  for (let round = 1; round <= rounds; round++) {
    // Forwards and backwards in turn, so that no row always follows the same one.
    for (const { row, blocks, costs } of round % 2 === 0 ? timed : timed.toReversed()) {
      if (round % row.every !== 0) continue;
      const { turns, ms } = (await blocks.next()).value;
      costs.push(ms / turns);
    }
    if (round % 10 === 0) process.stderr.write(`${round} of ${rounds} rounds\n`);
  }
  return timed.map(({ row, costs }) => ({ ...row, msPerTurn: median(costs) }));
}

/** Off the clock: the heap that sessions of each length hold at their end, and the size of their log. */
async function measureSizes(rows: readonly Measured[]): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const row of rows)
    measured.push(row.length === undefined ? row : { ...row, ...(await sizesAt(row.length)) });
  return measured;
}

async function sizesAt(length: number): Promise<{ heapPerTurn: number; logPerTurn: number }> {
  let logBytes = 0;
  const counting: Recorder = {
    append: async (record) => {
      logBytes += Buffer.byteLength(JSON.stringify(record)) + 1;
    },
  };
  // Enough short ones that the heap they hold stands out.
  const turns = Math.max(length, 10 * BLOCK);
  const before = heapUsed();
  const sessions = Array.from({ length: turns / length }, () => openSession(counting));
  for (const session of sessions) await submit(session, 0, length);
  const heapPerTurn = (heapUsed() - before) / turns;
  // The sessions must be alive until here.
  for (const session of sessions) await session.close({ status: 'completed' });
  return { heapPerTurn, logPerTurn: logBytes / turns };
}

/** One session of that length after the other, into one log. */
async function* sessionsOf(length: number, recorder: Recorder): Blocks {
  const stretch = Math.min(length, BLOCK);
  let session = openSession(recorder);
  let submitted = 0;
  while (true) {
    const ms = await timed(async () => {
      for (let done = 0; done < BLOCK; done += stretch) {
        if (submitted === length) {
          session = openSession(recorder);
          submitted = 0;
        }
        await submit(session, submitted, stretch);
        submitted += stretch;
      }
    });
    yield { turns: BLOCK, ms };
  }
}

/** Sessions whose host keeps many submits in flight, as parallel branches do. */
async function* pipelined(inFlight: number, recorder: Recorder): Blocks {
  const turns = 5 * BLOCK;
  while (true) {
    const session = openSession(recorder);
    let next = 0;
    const keepSubmitting = async () => {
      while (next < turns) await session.submit(turnAt(next++));
    };
    yield { turns, ms: await timed(() => Promise.all(Array.from({ length: inFlight }, keepSubmitting))) };
  }
}

/** Many sessions that share a log, each waiting for its own submits. */
async function* concurrent(sessions: number, recorder: Recorder): Blocks {
  const turnsEach = 100;
  while (true) {
    const open = Array.from({ length: sessions }, (_, at) => openSession(recorder, `run-${at}`));
    const ms = await timed(() => Promise.all(open.map((session) => submit(session, 0, turnsEach))));
    yield { turns: sessions * turnsEach, ms };
  }
}

/** The floor: what the disk alone takes for the lines of each turn. */
async function* bareWrites(folder: string): Blocks {
  const file = newFile(folder);
  const recorder = jsonlRecorder(file);
  await submit(openSession(recorder), 0, BLOCK);
  await recorder.close();
  const turns = fs.readFileSync(file, 'utf8').split(/^(?=\{"v":1.*"type":"turn"|\{"type":"turn")/m);
  const descriptor = fs.openSync(newFile(folder), 'a');
  while (true) {
    const ms = await timed(async () => {
      for (const lines of turns) {
        await write(descriptor, Buffer.from(lines));
        await syncToDisk(descriptor);
      }
    });
    yield { turns: turns.length, ms };
  }
}

function openSession(recorder: Recorder, runId = 'run'): AuditSession {
  const auditor = { audit: async () => ({ kind: 'continue' as const }) };
  const task = 'Which of the three suppliers delivers 40 pumps by Friday at the lowest price?';
  return createRuntime({ auditor, recorder }).openSession({ runId, task });
}

async function submit(session: AuditSession, from: number, turns: number): Promise<void> {
  for (let at = from; at < from + turns; at++) await session.submit(turnAt(at));
}

/** An agent that calls a tool, then the tool's answer, and so on. */
function turnAt(at: number): TurnInput {
  const supplier = `S-${1_000 + (at >> 1)}`;
  const id = `call_${at >> 1}`;
  if (at % 2 === 1) {
    const content = `{"supplier":"${supplier}","item":"pump 40-B","stock":${at % 97},"unitPrice":${200 + (at % 31)}.50,"currency":"EUR","leadTimeDays":${1 + (at % 9)}}`;
    return { agent: 'buyer', kind: 'tool', toolName: 'get_offer', toolCallId: id, content };
  }
  return {
    agent: 'buyer',
    kind: 'agent',
    thought: `The list still has ${supplier}. I need its price and its lead time before I can compare.`,
    content: `Next I ask supplier ${supplier} for an offer for 40 pumps, delivered by Friday.`,
    toolCalls: [
      { id, name: 'get_offer', args: { supplier, item: 'pump 40-B', quantity: 40, by: '2025-06-13' } },
    ],
    usage: { inputTokens: 1_200 + at, outputTokens: 85 },
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function newFile(folder: string): string {
  return path.join(folder, `${randomUUID()}.jsonl`);
}

/** Removed when the process ends, however it is asked to. */
function temporaryFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'agentforesight-bench-'));
  process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
  return folder;
}

function heapUsed(): number {
  v8.setFlagsFromString('--expose-gc');
  vm.runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}

function printTable(rows: readonly Measured[], shortest: Measured): void {
  const number = (value: number | undefined, digits = 0) =>
    value === undefined
      ? ''
      : value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const cells = [
    ['', 'turns/s', 'µs/turn', 'growth', 'heap B/turn', 'log B/turn'],
    ...rows.map((row) => [
      row.label,
      number(1_000 / row.msPerTurn),
      number(row.msPerTurn * 1_000, 1),
      number(row.length && row.msPerTurn / shortest.msPerTurn, 3),
      number(row.heapPerTurn),
      number(row.logPerTurn),
    ]),
  ];
  const widths =
    cells[0]?.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0))) ?? [];
  for (const line of cells) {
    const padded = line.map((cell, at) =>
      at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
    );
    console.log(padded.join('  '));
  }
}

if (parseArgs({ options: { help: { type: 'boolean' } } }).values.help) process.stdout.write(USAGE);
else await main(temporaryFolder());
