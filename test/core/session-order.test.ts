import { describe, expect, it } from 'vitest';
import type { AuditRequest } from '../../core/auditor.js';
import { alarmAt, alarmOn, approve, at, auditedRun, gateway, says, settle } from '../support/audited-run.js';

const newest = ({ prefix }: AuditRequest) => prefix.newest.content;

describe('turns of one line', () => {
  it('keep the order of the calls and are judged one after the other, awaited or not', async () => {
    const log: string[] = [];
    const { session, of } = auditedRun(async (request) => {
      log.push(`asked ${newest(request)}`);
      for (let wait = 5 - request.prefix.length; wait > 0; wait--) await settle();
      log.push(`answered ${newest(request)}`);
      return { kind: 'continue' };
    });
    await Promise.all(['one', 'two', 'three'].map((words) => session.submit(says(words))));
    expect(log).toEqual(['one', 'two', 'three'].flatMap((words) => [`asked ${words}`, `answered ${words}`]));
    expect(of('turn').map(({ turn }) => turn.content)).toEqual(['Sum 1 and 2.', 'one', 'two', 'three']);
    expect(of('verdict').map(({ step }) => step)).toEqual([1, 2, 3]);
  });

  it('wait for the verdicts before them: an alarm halts what was submitted behind it', async () => {
    const asked: string[] = [];
    const audit = alarmOn('one');
    const { session, of } = auditedRun(async (request, options) => {
      asked.push(newest(request));
      await settle();
      return audit(request, options);
    });
    const decisions = await Promise.all(['one', 'two'].map((words) => session.submit(says(words))));
    expect(decisions.map(({ action }) => action)).toEqual(['halt', 'halt']);
    expect(asked).toEqual(['one']);
    expect(of('turn')).toHaveLength(3);
  });

  it('wait although nobody asks about them', async () => {
    const answer = gateway();
    const schedule = { due: ({ newest }: AuditRequest['prefix']) => newest.kind === 'agent' };
    const { session } = auditedRun(() => answer.opened.then(approve), { schedule });
    const events: string[] = [];
    const audited = session.submit(says('one')).then(() => events.push('agent'));
    const silent = session.submit(says('ok', { kind: 'tool' })).then(() => events.push('tool'));
    await settle();
    expect(events).toEqual([]);
    answer.open();
    await Promise.all([audited, silent]);
    expect(events.sort()).toEqual(['agent', 'tool']);
  });

  it('do not wait for the disk before they are judged, but before they are answered', async () => {
    const disk = gateway();
    const asked: string[] = [];
    const answered: string[] = [];
    const { session } = auditedRun(
      (request) => {
        asked.push(newest(request));
        return approve();
      },
      { recorder: { append: (record) => (record.type === 'verdict' ? disk.opened : Promise.resolve()) } },
    );
    const submits = ['one', 'two'].map((words) =>
      session.submit(says(words)).then(() => answered.push(words)),
    );
    await settle();
    expect([asked, answered]).toEqual([['one', 'two'], []]);
    disk.open();
    await Promise.all(submits);
    expect(answered).toEqual(['one', 'two']);
  });

  it('keep their order with a thousand in flight', async () => {
    const { session, of } = auditedRun(approve);
    const submitted = Array.from({ length: 1_000 }, (_, step) => session.submit(says(`${step}`)));
    await Promise.all(submitted);
    expect(of('verdict').map(({ step }) => step)).toEqual(
      Array.from({ length: 1_000 }, (_, step) => step + 1),
    );
  });
});

describe('parallel lanes', () => {
  it('are judged at the same time, each on its own past', async () => {
    const answer = gateway();
    const seen: string[][] = [];
    const { session } = auditedRun(async ({ prefix }) => {
      seen.push([...prefix].map(({ content }) => content));
      await answer.opened;
      return { kind: 'continue' };
    });
    const both = ['b', 'a'].map((lane) => session.submit(says(lane, { path: [at(1, lane)] })));
    await settle();
    expect(seen).toEqual([
      ['Sum 1 and 2.', 'b'],
      ['Sum 1 and 2.', 'a'],
    ]);
    answer.open();
    await Promise.all(both);
  });

  it('are all waited for by the step after them', async () => {
    const answers = new Map(['a', 'b'].map((lane) => [lane, gateway()]));
    const asked: string[] = [];
    const { session } = auditedRun(async (request) => {
      asked.push(newest(request));
      await answers.get(newest(request))?.opened;
      return { kind: 'continue' };
    });
    const all = ['a', 'b'].map((lane) => session.submit(says(lane, { path: [at(1, lane)] })));
    all.push(session.submit(says('join', { path: [at(2, 'join')] })));
    answers.get('a')?.open();
    await settle();
    expect(asked).toEqual(['a', 'b']);
    answers.get('b')?.open();
    await Promise.all(all);
    expect(asked).toEqual(['a', 'b', 'join']);
  });

  it('wait for what came before the branch, but not for a sibling', async () => {
    const stuck = gateway();
    const asked: string[] = [];
    const { session } = auditedRun(async (request) => {
      asked.push(newest(request));
      if (newest(request) === 'b1') await stuck.opened;
      return { kind: 'continue' };
    });
    const b1 = session.submit(says('b1', { path: [at(1, 'b')] }));
    const b2 = session.submit(says('b2', { path: [at(1, 'b')] }));
    await session.submit(says('a1', { path: [at(1, 'a')] }));
    expect(asked).toEqual(['b1', 'a1']);
    stuck.open();
    await Promise.all([b1, b2]);
    expect(asked).toEqual(['b1', 'a1', 'b2']);
  });

  it('renumber an alarm to where the blamed turn stands in the whole run', async () => {
    const { session, of } = auditedRun(async ({ prefix }) =>
      prefix.newest.content === 'b2' ? alarmAt(1, 'right') : { kind: 'continue' },
    );
    const right = { agent: 'right', path: [at(1, 'b')] };
    await session.submit(says('b1', right));
    await session.submit(says('a1', { path: [at(1, 'a')] }));
    await session.submit(says('a2', { path: [at(1, 'a')] }));
    const decision = await session.submit(says('b2', right));
    const halt = decision.action === 'halt' ? decision.halt : undefined;
    expect(halt?.turns.map(({ content }) => content)).toEqual(['Sum 1 and 2.', 'a1', 'a2', 'b1', 'b2']);
    expect(halt?.alarm).toMatchObject({ step: 3, agent: 'right' });
    expect(halt?.turns[halt.alarm?.step ?? -1]?.content).toBe('b1');
    expect(of('verdict').at(-1)).toMatchObject({ step: 2, verdict: { step: 1 }, alarmTurnId: 'turn-1' });
  });
});
