import { describe, expect, test } from 'vitest';
import { AgentRun } from '../../../core/index.js';
import { proceed, ScriptedAuditor, type ScriptedReply } from '../../../core/testing/index.js';
import { audited, calls, says, strict } from '../../support/agent-runs.js';

describe('a run that takes another up', () => {
  test('has its turns in view as given, overrides its alarm, and hears the answers to its calls', async () => {
    const auditor = strict();
    const { run, runtime, of, turns } = audited({ auditor });
    run.open({ task: 'go' });
    const call = run.begin('solver');
    call.said(() => ({ ...calls('a')(), content: 'wrong' }));
    expect(await call.beforeAction()).toMatchObject({ action: 'halt' });
    call.leave();
    await run.end({ status: 'halted' });

    const again = new AgentRun(runtime, { framework: 'test', past: run.asPast() });
    again.open({ task: 'another' });
    const resumed = again.begin('solver');
    expect(resumed.awaits('a')).toBe(true);
    resumed.answered('a', says('40'));
    resumed.said(says('done'));
    expect(await resumed.beforeAnswer()).toBeUndefined();
    await again.end({ status: 'completed' });

    expect(of('run').map((record) => [record.task, record.continues])).toEqual([
      ['go', undefined],
      ['go', run.runId],
    ]);
    expect(turns().map(({ content }) => content)).toEqual(['go', 'wrong', '40', 'done']);
    expect(new Set(turns().map(({ id }) => id)).size).toBe(4);
    const last = auditor.requests.at(-1)?.turns ?? [];
    expect(last.map(({ content, given }) => [content, given === true])).toEqual([
      ['go', true],
      ['wrong', true],
      ['40', false],
      ['done', false],
    ]);
  });
});

describe('a recovery', () => {
  test('undoes the blamed turn, tells the hint, and goes on as another run of the log', async () => {
    const auditor = strict();
    const { run, of } = audited({ auditor, onAlarm: 'recover' }, { can: ['recover'] });
    run.open({ task: 'go' });
    const call = run.begin('solver');
    call.said(says('right so far'));
    call.said(says('wrong'));
    expect(await call.beforeAction()).toMatchObject({ action: 'recover' });
    expect(await call.redo('it is wrong')).toBe(true);
    call.said(says('better'));
    expect(await call.beforeAnswer()).toBeUndefined();
    await run.end({ status: 'completed' });
    expect(auditor.requests.at(-1)?.turns.map(({ content }) => content)).toEqual([
      'go',
      'right so far',
      'it is wrong',
      'better',
    ]);
    expect(of('run')).toMatchObject([{}, { recoveries: 1, undone: ['1:call/000000#1'] }]);
    expect(of('close').map((record) => record.outcome.status)).toEqual(['halted', 'completed']);
  });

  test('is not to be had where an older turn is blamed: the run stays halted, and that is told', async () => {
    const blamesTheFirst: ScriptedReply = { kind: 'alarm', step: 1, agent: 'solver', reason: 'it was wrong' };
    const auditor = new ScriptedAuditor([proceed, blamesTheFirst], proceed);
    const { run, faults } = audited({ auditor, onAlarm: 'recover' }, { can: ['recover'] });
    run.open({ task: 'go' });
    const call = run.begin('solver');
    call.said(says('wrong'));
    call.said(says('builds on it'));
    expect(await call.beforeAction()).toMatchObject({ action: 'recover' });
    expect(await call.redo('it was wrong')).toBe(false);
    expect(await call.beforeModel()).toBeDefined();
    expect(faults).toEqual(['cannot-recover']);
  });
});
