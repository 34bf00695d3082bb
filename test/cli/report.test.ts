import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  AuditError,
  type AuditNote,
  createRuntime,
  jsonlRecorder,
  type TurnInput,
} from '../../core/index.js';
import { runCli } from '../support/cli.js';
import { type ObservedRun, observedLog, sayingAuditor } from '../support/observed-log.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const says = (content: string, more: Partial<TurnInput> = {}): TurnInput => ({
  agent: 'solver',
  kind: 'agent',
  content,
  ...more,
});

const call = (more: Partial<Extract<AuditNote, { type: 'call' }>> = {}): AuditNote => ({
  type: 'call',
  purpose: 'verdict',
  model: 'm',
  attempts: 1,
  inputTokens: 1_000,
  cachedInputTokens: 800,
  outputTokens: 50,
  cost: 0.5,
  durationMs: 3,
  ...more,
});

const blamesTheSum = {
  kind: 'alarm',
  step: 2,
  agent: 'solver',
  reason: 'The sum is wrong.',
  score: 0.95,
} as const;

/** Two runs that went well, one that went on after an alarm, and one whose auditor was down. */
const runs: Readonly<Record<string, ObservedRun>> = {
  well: { turns: [says('a'), says('b')] },
  bad: {
    turns: [
      says('c', { at: 10_000 }),
      says('The sum is 13.', { at: 20_000 }),
      says('So 13 it is.', { agent: 'writer', at: 30_000 }),
      says('d', { at: 50_000, usage: { inputTokens: 300, outputTokens: 20 } }),
      says('e', { at: 150_000, usage: { inputTokens: 400 } }),
    ],
    outcome: { status: 'failed', error: 'wrong' },
  },
  'well too': { turns: [says('351', { kind: 'tool' }), says('f')] },
  unheard: { turns: [says('g'), says('h'), says('i')] },
};

const said = {
  a: { notes: [call({ purpose: 'probe', outputTokens: 1, cost: 0.25 }), call()] },
  'So 13 it is.': { verdict: blamesTheSum, notes: [call({ failed: 'rate-limited', cost: 0 })] },
  b: {
    notes: [
      { type: 'opinion', auditor: 'cheap', verdict: { kind: 'continue' }, durationMs: 1 },
      {
        type: 'opinion',
        auditor: 'next',
        shadow: true,
        verdict: { ...blamesTheSum, step: 1 },
        durationMs: 9,
      },
    ],
  },
  g: {
    failure: new AuditError('unavailable', 'no server at <b>host</b>'),
    notes: [{ type: 'cut', turns: 2, tokens: 900 }],
  },
  h: { failure: new AuditError('unavailable', 'still none') },
} satisfies Parameters<typeof observedLog>[2];

const json = async (...args: string[]) => JSON.parse((await runCli('report', '--json', ...args)).stdout);

describe('report --json', () => {
  it('tells which runs would have been halted, where and why, and what came after', async () => {
    const report = await json(await observedLog(temporaryFolder(), runs, said));
    expect(report.alarms).toMatchObject({
      runs: 4,
      alarmed: 1,
      rate: 0.25,
      endings: { alarmed: { failed: 1 }, others: { completed: 3 } },
      turnsAfter: 2,
      msAfter: 120_000,
      tokensAfter: 720,
    });
    // Clopper and Pearson, 1 of 4.
    expect(report.alarms.interval.low).toBeCloseTo(0.0063, 4);
    expect(report.alarms.interval.high).toBeCloseTo(0.8059, 4);
    expect(report.wouldHalts).toMatchObject([
      {
        runId: 'bad',
        auditor: 'judge',
        step: 2,
        agent: 'solver',
        reason: 'The sum is wrong.',
        score: 0.95,
        raisedAtStep: 3,
        enforced: 'proceed',
        ended: 'failed',
        turnsAfter: 2,
        msAfter: 120_000,
        tokensAfter: 720,
      },
    ]);
  });

  it('accounts for every turn and every audit', async () => {
    const report = await json(await observedLog(temporaryFolder(), runs, said));
    expect(report.turns).toEqual({ turns: 12, audited: 9, passedOver: 1, afterAlarm: 2, missed: 0 });
    expect(report.audits).toMatchObject({
      verdicts: 7,
      failures: [{ kind: 'unavailable', audits: 2, message: 'no server at <b>host</b>', runId: 'unheard' }],
    });
    const { median, p95, max } = report.audits.latency;
    expect(0 < median && median <= p95 && p95 <= max).toBe(true);
    expect(report.byAuditor).toMatchObject([{ auditor: 'judge', audits: 9, alarms: 1, failures: 2 }]);
    expect(report.byAgent).toEqual([
      { agent: 'solver', turns: 11, blamed: 1 },
      { agent: 'writer', turns: 1, blamed: 0 },
    ]);
    expect(report.scores).toMatchObject({ scored: 7, median: 0.1, max: 0.95 });
    expect(report.scores.continues[2]).toBe(6);
    expect(report.scores.alarms[19]).toBe(1);
  });

  it('adds up calls by purpose, what prompts left out, and opinions', async () => {
    const report = await json(await observedLog(temporaryFolder(), runs, said));
    expect(report.cost).toMatchObject({
      calls: 3,
      failed: 1,
      inputTokens: 3_000,
      cachedInputTokens: 2_400,
      outputTokens: 101,
      cost: 0.75,
      byPurpose: [
        { purpose: 'probe', calls: 1, outputTokens: 1, cost: 0.25 },
        { purpose: 'verdict', calls: 2, outputTokens: 100, cost: 0.5 },
      ],
      perRun: { median: 0, max: 0.75 },
      cuts: { audits: 1, mostTurns: 2, mostTokens: 900 },
    });
    expect(report.opinions).toMatchObject([
      { auditor: 'cheap', isShadow: false, asked: 1, alarms: 0, agreed: 1 },
      { auditor: 'next', isShadow: true, asked: 1, alarms: 1, agreed: 0, table: { continue: { alarm: 1 } } },
    ]);
  });

  it('a run that a human let go on, and what continues it, are one run', async () => {
    const file = path.join(temporaryFolder(), 'runs.jsonl');
    const recorder = jsonlRecorder(file);
    const runtime = createRuntime({ recorder, auditor: sayingAuditor(said), onAlarm: 'pause' });
    const first = runtime.openSession({ runId: 'first', task: 'sum', can: ['pause'] });
    for (const turn of runs['bad']?.turns.slice(0, 3) ?? []) await first.submit(turn);
    await first.close({ status: 'interrupted' });
    const blamed = first.alarmTurnId as string;
    const second = runtime.openSession({
      runId: 'second',
      task: 'sum',
      continues: { runId: 'first', turns: first.turns() },
      overridden: [blamed],
    });
    await second.submit(says('So 13 it is.', { agent: 'writer', id: 'again' }));
    await second.close({ status: 'completed' });
    await recorder.close();
    const report = await json(file);
    expect(report.logged).toMatchObject({ runs: 2, continuations: 1 });
    expect(report.alarms).toMatchObject({
      runs: 1,
      alarmed: 1,
      endings: { alarmed: { completed: 1 }, others: {} },
    });
    expect(report.wouldHalts).toMatchObject([{ runId: 'first', enforced: 'pause', ended: 'paused' }]);
    expect(report.turns.turns).toBe(4);
  });

  it('says what was due and missed when the process died', async () => {
    const log = await observedLog(temporaryFolder(), { cut: { turns: [says('a'), says('b')] } });
    const lines = fs.readFileSync(log, 'utf8').trimEnd().split('\n');
    // The last verdict and the close never made it.
    fs.writeFileSync(log, `${lines.slice(0, -2).join('\n')}\n`);
    const report = await json(log);
    expect(report.turns).toMatchObject({ turns: 2, audited: 1, missed: 1 });
    expect(report.alarms.endings.others).toEqual({ 'cut off': 1 });
  });

  it('takes runs by when they began', async () => {
    const log = await observedLog(temporaryFolder(), runs, said);
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    expect((await json('--until', inAnHour, log)).logged.runs).toBe(4);
    expect((await json('--since', inAnHour, log)).logged.runs).toBe(0);
  });
});

describe('report, for people', () => {
  it('begins with what matters most, and tells the rest in few lines', async () => {
    const { code, stdout } = await runCli('report', await observedLog(temporaryFolder(), runs, said));
    const lines = stdout.split('\n');
    expect(lines[0]).toBe('1 of 4 runs would have been halted: 25.0 % (95 % interval 0.6 to 80.6 %)');
    expect(stdout).toMatch(
      /^✗ bad\s+step {3}2 {2}solver\s+raised at step 3, score 0\.95, 2 turns and 2 min 0 s followed, failed\n {4}The sum is wrong\.$/m,
    );
    expect(stdout).toMatch(/a halt at each alarm would have spared 2 turns, 2 min 0 s, 720 tokens/);
    expect(stdout).toMatch(/^with an alarm\s+0\s+1$/m);
    expect(stdout).toMatch(/^7 verdicts, 2 failed audits$/m);
    expect(stdout).toMatch(/of 12 turns: 9 audited, 1 passed over by the schedule, 2 after an alarm/);
    expect(stdout).toMatch(/^ {2}unavailable\s+2 {2}no server/m);
    expect(stdout).toMatch(/^verdict\s+2\s+1\s+2,000\s+1,600\s+100\s+0\.5$/m);
    expect(stdout).toMatch(/^next \(candidate\)\s+1\s+1\s+0\s+0\.0 %/m);
    expect(code).toBe(0);
  });

  it('of runs that were halted says so, and of a log without alarms nothing more', async () => {
    const halted = await observedLog(temporaryFolder(), runs, said, { onAlarm: 'halt' });
    expect((await runCli('report', halted)).stdout).toMatch(/^1 of 4 runs were stopped by an alarm/);
    const quiet = (
      await runCli('report', await observedLog(temporaryFolder(), { well: { turns: [says('a')] } }))
    ).stdout;
    expect(quiet).toMatch(/^0 of 1 run would have been halted: 0\.0 % \(95 % interval 0\.0 to 97\.5 %\)/);
    expect(quiet).not.toMatch(/spared|^failed audits|model calls|opinions/m);
  });
});

describe('what is no run log of ours', () => {
  it('is refused with a word on what to do', async () => {
    const file = path.join(temporaryFolder(), '1.json');
    fs.writeFileSync(file, JSON.stringify({ question: '?', history: [{ role: 'human', content: '?' }] }));
    const { code, stderr } = await runCli('report', file);
    expect(stderr).toMatch(/holds runs, and no audits of them.*replay --log/);
    expect(code).toBe(2);
  });

  it('is passed over with --keep-going, and counted', async () => {
    const folder = temporaryFolder();
    const log = await observedLog(folder, { well: { turns: [says('a')] } });
    fs.appendFileSync(
      log,
      '{"v":1,"type":"verdict"}\n{"v":1,"type":"recovery","at":0}\n{"nonsense":1}\n{"v":1,"type":"recovery","at":0}\n',
    );
    fs.appendFileSync(log, '{"v":9}\n{"type":"recovery","v":1,"at":0,"x":1}\n[]\n[]\n');
    fs.writeFileSync(path.join(folder, 'other.json'), '[]');
    expect((await runCli('report', folder)).code).toBe(2);
    const { code, stdout } = await runCli('report', '--json', '--keep-going', folder);
    expect(JSON.parse(stdout)).toMatchObject({ files: 2, logged: { runs: 1 }, skipped: 3 });
    expect(code).toBe(2);
  });

  it('a date that is none is bad usage', async () => {
    const { code, stderr } = await runCli('report', '--since', 'yesterday', 'runs.jsonl');
    expect(stderr).toMatch(/Give a date such as 2026-03-01/);
    expect(code).toBe(2);
  });
});
