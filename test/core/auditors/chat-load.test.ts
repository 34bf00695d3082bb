import path from 'node:path';
import { expect, it, vi } from 'vitest';
import {
  AuditHalt,
  type AuditNote,
  chatAuditor,
  createRuntime,
  everyTurn,
  type FailureRecord,
  jsonlRecorder,
  type LoggedRun,
  readRecords,
  readRuns,
  type VerdictRecord,
} from '../../../core/index.js';
import { withAuditor } from '../../../plugins/manual/index.js';
import { type Deed, mark, mixedBehaviour, type Served } from '../../support/model-server/mixed-behaviour.js';
import { modelServer } from '../../support/model-server.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const RUNS = 200;
const TURNS = 5;
const DEADLINE = 5_000;

/** What an audit must come to when this was the last that the server did about it. */
const OUTCOMES: Record<Deed, string> = {
  safe: 'continue',
  'safe, slowly': 'continue',
  'safe, as a stream': 'continue',
  alarm: 'alarm',
  'no verdict': 'invalid',
  'somebody else’s agent': 'invalid',
  'try again soon': 'rate-limited',
  'try again tomorrow': 'rate-limited',
  'server fault': 'unavailable',
  overloaded: 'unavailable',
  'hang up': 'unavailable',
  'break off': 'unavailable',
  malformed: 'unavailable',
  'wrong schema': 'unavailable',
  flood: 'unavailable',
  hang: 'deadline',
  'bad key': 'auth',
  'bad request': 'refused',
};

const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;

it(`${RUNS} runs at once, against every fault: nothing is lost, counted twice, or taken for a Continue`, async () => {
  const { behave, served } = mixedBehaviour(20_260);
  const server = await modelServer(behave);
  const file = path.join(temporaryFolder(), 'runs.jsonl');
  const recorder = jsonlRecorder(file);
  const warnings = vi.fn();
  process.on('warning', warnings);
  const timersBefore = timers();
  const auditor = chatAuditor({
    baseURL: server.baseURL,
    model: 'tiny',
    concurrency: 64,
    breaker: { failures: 1_000 },
  });
  const runtime = createRuntime({
    auditor,
    recorder,
    schedule: everyTurn(),
    deadlineMs: DEADLINE,
    diagnostics: { report() {} },
  });
  const solve = withAuditor(async (task, report) => {
    for (let step = 1; step <= TURNS; step++) {
      await report({ agent: 'solver', kind: 'agent', content: `I work. ${mark(Number(task), step)}` });
    }
  }, runtime);

  const ends = await Promise.allSettled(Array.from({ length: RUNS }, (_, run) => solve(String(run))));
  expect(await runtime.flush()).toMatchObject({ dropped: 0, pending: 0 });
  await recorder.close();

  const runs = await Array.fromAsync(readRuns(file));
  const late = await lateNotes(file);
  expect(runs).toHaveLength(RUNS);
  const kinds = new Map<string, number>();
  for (const run of runs) {
    const halted = ends[Number(run.run.task)]?.status === 'rejected';
    for (const [kind, count] of checkRun(run, served, late, halted))
      kinds.set(kind, (kinds.get(kind) ?? 0) + count);
  }
  // Each kind has occurred, or the test would prove less than it says.
  for (const kind of new Set(Object.values(OUTCOMES))) expect(kinds.get(kind), kind).toBeGreaterThan(0);
  expect(kinds.get('continue')).toBeGreaterThan((RUNS * TURNS) / 2);
  for (const end of ends) if (end.status === 'rejected') expect(end.reason).toBeInstanceOf(AuditHalt);

  checkMetering(runs, served, late);
  for (const { did, seen } of served) {
    if (did === 'hang' || did === 'flood') expect(await seen.closedByClient, did).toBe(true);
  }
  await vi.waitFor(() => expect(server.sockets.size).toBe(0), { timeout: 10_000, interval: 100 });
  expect(timers()).toBeLessThanOrEqual(timersBefore);
  process.off('warning', warnings);
  expect(warnings.mock.calls).toEqual([]);
}, 60_000);

type Judged = VerdictRecord | FailureRecord;

/** Notes that came after their audit's own record, by run and step. */
async function lateNotes(file: string): Promise<Map<string, AuditNote[]>> {
  const late = new Map<string, AuditNote[]>();
  for await (const { record } of readRecords(file)) {
    if (record.type !== 'note') continue;
    const key = `${record.runId} ${record.step}`;
    late.set(key, [...(late.get(key) ?? []), record.note]);
  }
  return late;
}

function notesOf({ runId, step, notes = [] }: Judged, late: Map<string, AuditNote[]>) {
  const all = [...notes, ...(late.get(`${runId} ${step}`) ?? [])];
  return all.filter((note) => note.type === 'call');
}

/** One run against what the server knows of it. @returns how often what came out */
function checkRun(
  { run, turns, verdicts, failures, outcome }: LoggedRun,
  served: readonly Served[],
  late: Map<string, AuditNote[]>,
  halted: boolean,
): Map<string, number> {
  const number = Number(run.task);
  const judged: readonly Judged[] = [...verdicts, ...failures];
  const alarm = verdicts.find(({ verdict }) => verdict.kind === 'alarm');
  const kinds = new Map<string, number>();
  expect(outcome?.status).toBe(alarm ? 'halted' : 'completed');
  expect(halted).toBe(alarm !== undefined);
  expect(turns).toHaveLength(1 + (alarm?.step ?? TURNS));
  expect(judged.map(({ step }) => step).sort()).toEqual(turns.slice(1).map(({ index }) => index));

  for (const record of judged) {
    const { step } = record;
    const about = served.filter((one) => one.run === number && one.step === step);
    const last = about.at(-1)?.did;
    const kind = record.type === 'verdict' ? record.verdict.kind : record.failure.kind;
    const where = `run ${number}, step ${step}: ${about.map(({ did }) => did).join(', ')}`;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    if (kind === 'deadline') expect(record.durationMs, where).toBeGreaterThanOrEqual(DEADLINE - 5);
    if (kind !== 'deadline' || last === 'hang') expect(kind, where).toBe(last && OUTCOMES[last]);
    if (record.type === 'verdict' && record.verdict.kind === 'alarm') {
      expect(record.verdict, where).toMatchObject({ step, agent: 'solver', reason: mark(number, step) });
    }
    const calls = notesOf(record, late);
    const attempts = calls.reduce((sum, call) => sum + call.attempts, 0);
    // A request that is aborted on its way may never arrive.
    if (kind === 'deadline') expect(attempts, where).toBeGreaterThanOrEqual(about.length);
    else expect(attempts, where).toBe(about.length);
    const answers = about.filter(({ charged }) => charged !== undefined).length;
    if (kind !== 'deadline') expect(calls.filter(({ failed }) => !failed).length, where).toBe(answers);
  }
  return kinds;
}

/** Every answer that the server charged for is one call in the log, with the same figures. */
function checkMetering(
  runs: readonly LoggedRun[],
  served: readonly Served[],
  late: Map<string, AuditNote[]>,
): void {
  const judged: Judged[] = runs.flatMap(({ verdicts, failures }) => [...verdicts, ...failures]);
  const calls = judged.flatMap((record) => notesOf(record, late));
  const metered = calls.flatMap(({ inputTokens }) => (inputTokens === undefined ? [] : [inputTokens]));
  const overdue = new Set(
    judged.flatMap(({ runId, step, ...record }) => {
      const run = runs.find((one) => one.run.runId === runId)?.run.task;
      return 'failure' in record && record.failure.kind === 'deadline' ? [`${run} ${step}`] : [];
    }),
  );
  // What was on its way when the deadline struck was charged, and not received.
  const charged = served.flatMap(({ charged: tokens, run, step }) =>
    tokens === undefined || (overdue.has(`${run} ${step}`) && !metered.includes(tokens)) ? [] : [tokens],
  );
  expect(metered.toSorted()).toEqual(charged.toSorted());
  for (const call of calls) {
    if (call.inputTokens === undefined) continue;
    expect(call).toMatchObject({ outputTokens: 7, cachedInputTokens: call.inputTokens - 9_999 });
  }
  const requests = calls.reduce((sum, { attempts }) => sum + attempts, 0);
  expect(requests).toBeGreaterThanOrEqual(served.length);
  expect(requests - served.length).toBeLessThanOrEqual(overdue.size);
}
