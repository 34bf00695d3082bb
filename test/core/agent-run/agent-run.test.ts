import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { CallSite } from '../../../core/agent-run/call-site.js';
import { AgentRun } from '../../../core/index.js';
import { proceed } from '../../../core/testing/index.js';
import { audited, calls, says, strict } from '../../support/agent-runs.js';

describe('what is told', () => {
  test('an agent’s words, its calls, and each answer once, for the agent that called', async () => {
    const { run, turns } = audited();
    run.open({ task: 'add' });
    const call = run.begin('solver');
    call.said(calls('a', 'b'));
    call.agent = 'closer';
    for (const _round of [1, 2]) {
      call.answered('a', says('40'));
      call.answered('b', () => ({ content: 'broken', isError: true }));
      call.answered('unknown', says('of an earlier run'));
    }
    call.said(says('done'));
    call.leave();
    await run.end({ status: 'completed' });
    expect(turns().map(({ agent, kind, toolName, content }) => [agent, kind, toolName, content])).toEqual([
      ['user', 'user', undefined, 'add'],
      ['solver', 'agent', undefined, ''],
      ['solver', 'tool', 'tool-a', '40'],
      ['solver', 'tool', 'tool-b', 'broken'],
      ['closer', 'agent', undefined, 'done'],
    ]);
  });

  test('what an agent has left unanswered is answered in a later call of the run, for the agent that asked', async () => {
    const { run, turns } = audited();
    run.open({ task: 'pay' });
    const asking = run.begin('clerk');
    asking.said(calls('a'));
    asking.leave();
    const later = run.begin('closer');
    expect(later.awaits('a')).toBe(true);
    for (const _round of [1, 2]) later.answered('a', says('paid'));
    later.leave();
    await run.end({ status: 'completed' });
    expect(turns().map(({ agent, content }) => [agent, content])).toEqual([
      ['user', 'pay'],
      ['clerk', ''],
      ['clerk', 'paid'],
    ]);
  });

  test('agents at work side by side are lanes of one step; one after the other, steps of their own', async () => {
    const { run, turns } = audited();
    run.open({ task: 'go' });
    const boss = run.begin('boss');
    const [one, two] = [run.begin('one', boss.site), run.begin('two', boss.site)];
    two.said(says('second lane'));
    one.said(says('first lane'));
    for (const call of [one, two]) call.leave();
    const three = run.begin('three', boss.site);
    three.said(says('next step'));
    three.leave();
    boss.said(says('done'));
    await run.end({ status: 'completed' });
    const places = new Map(turns().map(({ content, path, id }) => [content, [path.at(-1), id]]));
    expect(places.get('first lane')).toEqual([
      { step: 1, lane: 'call/000000' },
      '1:call/000000|1:call/000000#0',
    ]);
    expect(places.get('second lane')).toEqual([
      { step: 1, lane: 'call/000001' },
      '1:call/000000|1:call/000001#0',
    ]);
    expect(places.get('next step')).toEqual([
      { step: 2, lane: 'call/000000' },
      '1:call/000000|2:call/000000#0',
    ]);
  });

  test('a shape that cannot be read costs this turn its verdict, and no more', async () => {
    const { run, of } = audited();
    run.open({ task: 'go' });
    const call = run.begin('solver');
    call.said(() => {
      throw new TypeError('no content');
    });
    expect(await call.beforeAction()).toBeUndefined();
    call.said(says('fine'));
    expect(await call.beforeAnswer()).toBeUndefined();
    await run.end({ status: 'completed' });
    expect([of('failure').length, of('verdict').length]).toEqual([1, 1]);
  });

  test('a run that nobody opened and nothing was said in leaves no record', async () => {
    const { run, recorder } = audited();
    expect(await run.end({ status: 'completed' })).toBeUndefined();
    expect(recorder.records).toEqual([]);
    expect(run.asPast()).toBeUndefined();
  });
});

describe('who waits', () => {
  const slow = (log: string[]) => ({
    audit: async ({ prefix }: { prefix: { newest: { content: string } } }) => {
      await delay(30);
      log.push(`judged ${prefix.newest.content}`);
      return proceed as { kind: 'continue' };
    },
  });

  test.each([
    ['block', 'beforeModel', true],
    ['block', 'beforeAction', true],
    ['block', 'beforeAnswer', true],
    ['overlap', 'beforeModel', false],
    ['overlap', 'beforeAction', true],
    ['overlap', 'beforeAnswer', true],
  ] as const)('%s: %s waits: %s', async (gating, before, waits) => {
    const log: string[] = [];
    const { run } = audited({ gating, auditor: slow(log), schedule: { due: () => true } });
    run.open({ task: 'go' });
    const call = run.begin('solver');
    call.said(says('words'));
    await call[before]();
    expect(log).toEqual(waits ? ['judged words'] : []);
  });

  test('where answers overlap, an agent’s answer goes back before the verdict; the run’s end waits for it', async () => {
    const log: string[] = [];
    const options = { gating: 'overlap', auditor: slow(log), schedule: { due: () => true } } as const;
    const { run } = audited(options, { answersOverlap: true });
    run.open({ task: 'go' });
    const call = run.begin('solver');
    call.said(says('words'));
    await call.beforeAnswer();
    expect(log).toEqual([]);
    await run.end({ status: 'completed' });
    expect(log).toEqual(['judged words']);
  });

  test.each([
    ['a site that holds answers', true],
    ['another site', false],
  ] as const)(
    'under overlap, the answer of an agent called from %s goes back unjudged: %s',
    async (_, holds) => {
      const log: string[] = [];
      const { run } = audited({ gating: 'overlap', auditor: slow(log), schedule: { due: () => true } });
      run.open({ task: 'go' });
      const call = run.begin('solver', new CallSite(run.site.path, new Map(), holds));
      call.said(says('words'));
      await call.beforeAnswer();
      expect(log).toEqual(holds ? [] : ['judged words']);
      await run.end({ status: 'completed' });
      expect(log).toEqual(['judged words']);
    },
  );

  test('a lane waits for its own verdicts, not for its sibling’s', async () => {
    const log: string[] = [];
    const auditor = {
      audit: async ({ prefix }: { prefix: { newest: { content: string } } }) => {
        if (prefix.newest.content === 'slow') await delay(100);
        log.push(prefix.newest.content);
        return proceed as { kind: 'continue' };
      },
    };
    const { run } = audited({ auditor, schedule: { due: () => true } });
    run.open({ task: 'go' });
    const [one, two] = [run.begin('one'), run.begin('two')];
    one.said(says('slow'));
    two.said(says('quick'));
    await two.beforeAction();
    expect(log).toEqual(['quick']);
    await one.beforeAction();
    expect(log).toEqual(['quick', 'slow']);
  });

  test('an abort lets go who waits, with the caller’s reason', async () => {
    const { signal, abort } = abortable();
    const auditor = { audit: () => new Promise<never>(() => {}) };
    const { run } = audited({ auditor, schedule: { due: () => true }, deadlineMs: 60_000 }, { signal });
    run.open({ task: 'go' });
    const call = run.begin('solver');
    call.said(says('words'));
    const waiting = call.beforeAction();
    abort(new Error('the user left'));
    await expect(waiting).rejects.toThrow('the user left');
  });

  test('and after it nobody begins to wait', async () => {
    const { signal, abort } = abortable();
    const auditor = { audit: () => new Promise<never>(() => {}) };
    const { run } = audited({ auditor, schedule: { due: () => true }, deadlineMs: 60_000 }, { signal });
    run.open({ task: 'go' });
    const call = run.begin('solver');
    call.said(says('words'));
    abort(new Error('the user left'));
    await expect(call.beforeAction()).rejects.toThrow('the user left');
  });

  test('and an aborted run’s end waits for no verdict; its record follows', async () => {
    const { promise: verdict, resolve } = Promise.withResolvers<typeof proceed>();
    const auditor = { audit: () => verdict };
    const { run, of } = audited({ auditor, schedule: { due: () => true }, deadlineMs: 60_000 });
    run.open({ task: 'go' });
    run.begin('solver').said(says('words'));
    expect(await run.end({ status: 'aborted' })).toBeUndefined();
    expect([run.isOver, of('close')]).toEqual([true, []]);
    resolve(proceed);
    await vi.waitFor(() => expect(of('close')).toMatchObject([{ outcome: { status: 'aborted' } }]));
  });

  function abortable() {
    const controller = new AbortController();
    return { signal: controller.signal, abort: (reason: Error) => controller.abort(reason) };
  }
});

describe('a stop', () => {
  test('latches: every later gate of the run tree tells of it, and so does the end', async () => {
    const { run, of } = audited({ auditor: strict() });
    run.open({ task: 'go' });
    const boss = run.begin('boss');
    const child = run.begin('child', boss.site);
    child.said(says('wrong'));
    expect(await child.beforeAction()).toMatchObject({ action: 'halt', halt: { alarm: { agent: 'child' } } });
    expect(await boss.beforeModel()).toMatchObject({ action: 'halt' });
    expect(await run.end({ status: 'completed' })).toMatchObject({ action: 'halt' });
    expect(of('close')).toMatchObject([{ outcome: { status: 'halted' } }]);
  });

  test('of a last turn that the schedule passed over comes with the end', async () => {
    const { run } = audited({ auditor: strict(), schedule: { due: () => false } });
    run.open({ task: 'go' });
    const call = run.begin('solver');
    call.said(says('wrong'));
    expect(await call.beforeAnswer()).toBeUndefined();
    expect(await run.end({ status: 'completed' })).toMatchObject({ action: 'halt' });
  });

  test('a host that cannot pause is halted, and its user is told once', async () => {
    const { run, runtime, faults } = audited({ auditor: strict(), onAlarm: 'pause' });
    for (const one of [run, new AgentRun(runtime, { framework: 'test' })]) {
      one.open({ task: 'go' });
      const call = one.begin('solver');
      call.said(says('wrong'));
      expect(await call.beforeAction()).toMatchObject({ action: 'halt' });
    }
    expect(faults).toEqual(['cannot-pause']);
  });
});
