import { expect, test } from 'vitest';
import { loggedScores } from '../../../cli/calibrate/logged-scores.js';
import type { RuntimeOptions } from '../../../core/index.js';
import { uncalibrated, type Verdict } from '../../../core/index.js';
import { alarmAt, auditedRun, gateway, says, settle } from '../../support/audited-run.js';
import { logFile } from '../../support/temporary-folder.js';

/** The verdict on a turn is what the turn says: `0.4`, or `alarm 0.4`. */
const byContent: Parameters<typeof auditedRun>[0] = ({ prefix }): Verdict => {
  const [score = '', kind] = prefix.newest.content.split(' ').toReversed();
  if (score === 'none') return { kind: 'continue' };
  return kind === 'alarm'
    ? { ...alarmAt(0, 'user'), score: Number(score) }
    : { kind: 'continue', score: Number(score) };
};

async function runOf(
  turns: readonly string[],
  { info = {}, status = 'completed' as const, ...options }: Partial<RuntimeOptions> & Ending = {},
) {
  const { session, records } = auditedRun(byContent, options, info);
  for (const [at, content] of turns.entries())
    await session.submit(says(content, { id: `${info.runId}-${at}` }));
  await session.close({ status });
  return { records, turns: session.turns() };
}

interface Ending {
  readonly info?: Parameters<typeof auditedRun>[2];
  readonly status?: 'completed' | 'failed' | 'interrupted';
}

const read = (...records: readonly (readonly object[])[]) =>
  Array.fromAsync(loggedScores(logFile(...records.flat()), {}));

test('collected with nothing calibrated yet: every score, and whom its alarm would have blamed', async () => {
  const { records } = await runOf(['0.2', 'alarm 0.9', '0.1'], { calibration: uncalibrated });
  expect(await read(records)).toMatchObject([
    {
      task: 'Sum 1 and 2.',
      scores: [
        { step: 1, score: 0.2, blames: 1 },
        { step: 2, score: 0.9, blames: 0 },
        { step: 3, score: 0.1, blames: 3 },
      ],
      endedByAlarm: false,
      auditors: ['auditor'],
    },
  ]);
});

test('an alarm ends the asking, enforced or not, but on the last turn it has cut nothing off', async () => {
  const observed = await runOf(['0.2', 'alarm 0.9', '0.1'], { onAlarm: 'observe' });
  const last = await runOf(['0.2', 'alarm 0.9'], { onAlarm: 'observe' });
  const halted = await runOf(['0.2', 'alarm 0.9'], { onAlarm: 'halt' });
  expect(await read(observed.records)).toMatchObject([{ endedByAlarm: true, scores: [{}, {}] }]);
  expect(await read(last.records)).toMatchObject([{ endedByAlarm: false, scores: [{}, {}] }]);
  expect(await read(halted.records)).toMatchObject([{ endedByAlarm: true }]);
});

test('a run that asked a human is one with the run that took it up', async () => {
  const first = await runOf(['0.2', '0.7'], { info: { runId: 'first' }, status: 'interrupted' });
  const continues = { runId: 'first', turns: first.turns };
  const second = await runOf(['0.3'], { info: { runId: 'second', continues } });
  expect(await read(first.records, second.records)).toMatchObject([
    {
      runId: 'second',
      scores: [
        { step: 1, score: 0.2 },
        { step: 2, score: 0.7 },
        { step: 3, score: 0.3 },
      ],
    },
  ]);
  expect(await read(first.records)).toEqual([{ leftOut: 'cut off' }]);
});

test('what goes on from a run that an alarm stopped is no run of its own', async () => {
  const first = await runOf(['alarm 0.9'], { info: { runId: 'first' } });
  const continues = { runId: 'first', turns: first.turns };
  const second = await runOf(['0.3'], { info: { runId: 'second', continues } });
  expect(await read(first.records, second.records)).toMatchObject([
    { runId: 'first', endedByAlarm: true },
    { leftOut: 'going on from one that is counted already or not there' },
  ]);
});

test.each<[string, () => Promise<{ records: readonly object[] }>]>([
  ['failed or aborted', () => runOf(['0.2'], { status: 'failed' })],
  ['without scores', () => runOf(['none'])],
  ['stopped by a failed audit', () => runOf(['NaN'], { onAuditFailure: 'halt' })],
])('a run is left out that is %s', async (leftOut, run) => {
  expect(await read((await run()).records)).toEqual([{ leftOut }]);
});

test('a run that was cut off is left out', async () => {
  const held = gateway();
  const { session, records } = auditedRun(async () => {
    await held.opened;
    return { kind: 'continue', score: 0.1 };
  });
  void session.submit(says('a'));
  await settle();
  expect(await read(records)).toEqual([{ leftOut: 'cut off' }]);
  held.open();
});
