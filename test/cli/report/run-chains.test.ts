import { describe, expect, it } from 'vitest';
import { RunChains } from '../../../cli/report/run-chains.js';
import type { CloseRecord, LoggedRun } from '../../../core/index.js';
import { runRecord } from '../../support/records.js';

type Status = CloseRecord['outcome']['status'];

function run(runId: string, continues?: string, status?: Status): LoggedRun {
  const record = runRecord(runId, continues === undefined ? {} : { continues });
  const outcome = status && { status };
  return {
    run: record,
    line: 1,
    turns: [],
    due: new Set(),
    verdicts: [],
    failures: [],
    notes: [],
    incomplete: false,
    outcome,
  };
}

describe('runs that continue one another are one', () => {
  it('which has an alarm if any of them has, and ends as the last does', () => {
    const chains = new RunChains();
    chains.add(run('a', undefined, 'paused'), 'log', true);
    chains.add(run('b', 'a', 'interrupted'), 'log', false);
    chains.add(run('other', undefined, 'failed'), 'log', false);
    chains.add(run('c', 'b', 'completed'), 'log', false);
    expect(chains.chains().map(({ isAlarmed, ended }) => [isAlarmed, ended])).toEqual([
      [true, 'completed'],
      [false, 'failed'],
    ]);
  });

  it('though a run that was cut off is handed over after what continues it', () => {
    const chains = new RunChains();
    chains.add(run('b', 'a', 'completed'), 'log', false);
    chains.add(run('a'), 'log', true);
    expect(chains.chains().map(({ isAlarmed, ended }) => [isAlarmed, ended])).toEqual([[true, 'completed']]);
  });

  it('but not across logs, nor with one that is not there', () => {
    const chains = new RunChains();
    chains.add(run('a', undefined, 'paused'), 'one log', true);
    chains.add(run('b', 'a', 'completed'), 'other log', false);
    chains.add(run('c', 'nobody', 'completed'), 'other log', false);
    expect(chains.chains()).toHaveLength(3);
  });

  it('and a circle of them is no reason to hang', () => {
    const chains = new RunChains();
    chains.add(run('a', 'b', 'failed'), 'log', false);
    chains.add(run('b', 'a', 'completed'), 'log', true);
    chains.add(run('self', 'self', 'completed'), 'log', false);
    expect(chains.chains().map(({ isAlarmed }) => isAlarmed)).toEqual([true, false]);
  });

  it('in time that grows with their number', () => {
    const chains = new RunChains();
    for (let at = 0; at < 50_000; at++) chains.add(run(`${at}`, `${at - 1}`, 'paused'), 'log', at === 3);
    expect(chains.chains()).toMatchObject([{ isAlarmed: true, ended: 'paused' }]);
  });
});
