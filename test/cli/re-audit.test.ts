import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ReAuditedRun, type ReAuditOptions, reAudited } from '../../cli/re-audit.js';
import type { RecordedRun } from '../../collectors/recorded-run.js';
import {
  AuditError,
  type Auditor,
  type AuditRequest,
  everyTurn,
  readRuns,
  uncalibrated,
} from '../../core/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const recorded = (runId: string, ...said: readonly string[]): RecordedRun => ({
  runId,
  source: 'test',
  task: 'Sum 1 and 2.',
  tools: [],
  turns: [
    { agent: 'user', kind: 'user', content: 'Sum 1 and 2.', given: true },
    ...said.map((content) => ({ agent: 'solver', kind: 'agent' as const, content })),
  ],
  quirks: [],
});

/** Alarms at "bad", breaks off at "down", and remembers what it was asked. */
function auditor(name = 'own') {
  const asked: string[] = [];
  let isDown = true;
  const own: Auditor = {
    name,
    schedule: everyTurn(),
    audit({ runId, prefix }: AuditRequest) {
      const { index, agent, content } = prefix.newest;
      asked.push(`${runId}:${content}`);
      if (content === 'down' && isDown) throw new AuditError('unavailable', 'no server');
      if (content === 'bad') return { kind: 'alarm', step: index, agent, reason: 'bad', score: 0.9 };
      return { kind: 'continue', score: 0.1 };
    },
  };
  return {
    own,
    asked,
    mend: () => {
      isDown = false;
    },
  };
}

async function* streamed(runs: readonly RecordedRun[]) {
  yield* runs;
}

function reAudit(
  runs: readonly RecordedRun[],
  options: Partial<ReAuditOptions> & { auditor: Auditor },
): Promise<ReAuditedRun[]> {
  return Array.fromAsync(reAudited(streamed(runs), { stop: new AbortController().signal, ...options }));
}

const verdicts = (runs: readonly ReAuditedRun[]) =>
  runs.map(({ run, audits }) => [
    run.runId,
    audits.verdicts.map(({ step, verdict }) => `${step} ${verdict.kind}`),
  ]);

describe('a recorded run is audited again', () => {
  it('turn by turn, given turns left out, until its first alarm', async () => {
    const { own, asked } = auditor();
    const runs = await reAudit([recorded('a', 'x', 'bad', 'y'), recorded('b', 'x')], { auditor: own });
    expect(verdicts(runs)).toEqual([
      ['a', ['1 continue', '2 alarm']],
      ['b', ['1 continue']],
    ]);
    expect(asked).toEqual(['a:x', 'a:bad', 'b:x']);
  });

  it('to its end where nothing is to alarm, the own word kept beside', async () => {
    const { own } = auditor();
    const [run] = await reAudit([recorded('a', 'x', 'bad', 'y')], {
      auditor: own,
      calibration: uncalibrated,
    });
    expect(run?.audits.verdicts.map(({ verdict, said }) => [verdict.kind, said?.kind])).toEqual([
      ['continue', undefined],
      ['continue', 'alarm'],
      ['continue', undefined],
    ]);
  });

  it('and a second run of the same id is not taken for the first', async () => {
    const { own } = auditor();
    const log = path.join(temporaryFolder(), 'audits.jsonl');
    await reAudit([recorded('a', 'x'), recorded('a', 'bad')], { auditor: own, log });
    const again = await reAudit([recorded('a', 'x'), recorded('a', 'bad')], { auditor: own, log });
    expect(verdicts(again)).toEqual([
      ['a', ['1 continue']],
      ['a#2', ['1 alarm']],
    ]);
    expect(again.map(({ resumed }) => resumed)).toEqual([true, true]);
  });
});

describe('with a log', () => {
  it('what is in it is an ordinary run log, and is not asked again', async () => {
    const { own, asked } = auditor();
    const log = path.join(temporaryFolder(), 'audits.jsonl');
    const first = await reAudit([recorded('a', 'x', 'bad', 'y')], { auditor: own, log, concurrency: 3 });
    const logged = await Array.fromAsync(readRuns(log));
    expect(
      logged.map(({ run, turns, verdicts, outcome }) => [
        run.runId,
        turns.length,
        verdicts.length,
        outcome?.status,
      ]),
    ).toEqual([['a', 4, 2, 'completed']]);
    const again = await reAudit([recorded('a', 'x', 'bad', 'y'), recorded('b', 'x')], { auditor: own, log });
    expect(asked).toEqual(['a:x', 'a:bad', 'b:x']);
    expect(again.map(({ resumed }) => resumed)).toEqual([true, false]);
    expect(again[0]?.audits).toEqual(JSON.parse(JSON.stringify(first[0]?.audits)));
  });

  it('a run that has grown since, or whose server was away, is asked about again', async () => {
    const { own, asked, mend } = auditor();
    const log = path.join(temporaryFolder(), 'audits.jsonl');
    await reAudit([recorded('grown', 'x'), recorded('away', 'down')], { auditor: own, log });
    mend();
    const runs = await reAudit([recorded('grown', 'x', 'y'), recorded('away', 'down')], {
      auditor: own,
      log,
    });
    expect(runs.map(({ resumed }) => resumed)).toEqual([false, false]);
    expect(asked).toEqual(['grown:x', 'away:down', 'grown:x', 'grown:y', 'away:down']);
    const third = await reAudit([recorded('grown', 'x', 'y'), recorded('away', 'down')], {
      auditor: own,
      log,
    });
    expect(third.map(({ resumed }) => resumed)).toEqual([true, true]);
  });

  it('of another auditor: refused, and left as it was', async () => {
    const log = path.join(temporaryFolder(), 'audits.jsonl');
    await reAudit([recorded('a', 'x')], { auditor: auditor().own, log });
    const before = fs.readFileSync(log, 'utf8');
    await expect(reAudit([recorded('a', 'x')], { auditor: auditor('new').own, log })).rejects.toThrow(
      /:1 \(auditor\): holds audits by own, and these are by new/,
    );
    expect(fs.readFileSync(log, 'utf8')).toBe(before);
  });

  it('stopped in the middle of an audit, it takes up there', async () => {
    const log = path.join(temporaryFolder(), 'audits.jsonl');
    const stopping = new AbortController();
    const { own } = auditor();
    const hanging: Auditor = {
      ...own,
      audit(request, options) {
        if (request.prefix.newest.content !== 'slow') return own.audit(request, options);
        setTimeout(() => stopping.abort(), 5);
        return new Promise((_, reject) =>
          options.signal.addEventListener('abort', () => reject(new Error('aborted'))),
        );
      },
    };
    const runs = [recorded('a', 'x'), recorded('b', 'y', 'slow'), recorded('c', 'z')];
    const first = await reAudit(runs, { auditor: hanging, log, stop: stopping.signal });
    expect(first.map(({ run }) => run.runId)).toEqual(['a']);
    const { own: second, asked } = auditor();
    const again = await reAudit(runs, { auditor: second, log });
    expect(asked).toEqual(['b:y', 'b:slow', 'c:z']);
    expect(verdicts(again)).toEqual([
      ['a', ['1 continue']],
      ['b', ['1 continue', '2 continue']],
      ['c', ['1 continue']],
    ]);
  });

  it('cut off before its last verdict, it asks again, though every turn is there', async () => {
    const log = path.join(temporaryFolder(), 'audits.jsonl');
    await reAudit([recorded('a', 'x', 'y')], { auditor: auditor().own, log });
    const lines = fs.readFileSync(log, 'utf8').trimEnd().split('\n');
    expect(lines.slice(-2).map((line) => JSON.parse(line).type)).toEqual(['verdict', 'close']);
    fs.writeFileSync(log, `${lines.slice(0, -2).join('\n')}\n`);
    const { own, asked } = auditor();
    const again = await reAudit([recorded('a', 'x', 'y')], { auditor: own, log });
    expect(again.map(({ resumed }) => resumed)).toEqual([false]);
    expect(asked).toEqual(['a:x', 'a:y']);
  });

  it('stopped in the audit that closes a run, it asks again, though the run is closed', async () => {
    const log = path.join(temporaryFolder(), 'audits.jsonl');
    const stopping = new AbortController();
    const { own } = auditor();
    const onlyAtTheEnd: Auditor = {
      ...own,
      schedule: { due: () => false },
      audit(_, { signal }) {
        setTimeout(() => stopping.abort(), 5);
        return new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(new Error('aborted'))),
        );
      },
    };
    expect(
      await reAudit([recorded('a', 'x')], { auditor: onlyAtTheEnd, log, stop: stopping.signal }),
    ).toEqual([]);
    const again = await reAudit([recorded('a', 'x')], { auditor: own, log });
    expect(again.map(({ resumed }) => resumed)).toEqual([false]);
  });
});

it('a key that is refused ends the work: nothing gets better by itself', async () => {
  const locked: Auditor = {
    name: 'locked',
    schedule: everyTurn(),
    audit() {
      throw new AuditError('auth', 'HTTP 401');
    },
  };
  await expect(reAudit([recorded('a', 'x')], { auditor: locked })).rejects.toThrow(/HTTP 401.*Check the key/);
});
