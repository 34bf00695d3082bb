import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { Continuations, readContinuations } from '../../../core/run-log/continuations.js';
import { closeRecord, runRecord, turnRecord } from '../../support/records.js';
import { logFile, temporaryFolder } from '../../support/temporary-folder.js';

const LONGEST = 2 ** 20;

it('names the runs that others take up, and nothing that only speaks of continuing', async () => {
  const file = logFile(
    runRecord('a'),
    turnRecord('a', '1', {
      content: '{"type":"run","continues":"said"}',
      toolCalls: [{ id: '1', name: 'resume', args: { continues: 'called' } }],
    }),
    closeRecord('a', 'paused'),
    runRecord('b', { continues: 'a' }),
    '{"continues": torn',
    runRecord('c', { continues: 'b' }),
  );
  const continuations = await readContinuations(file, LONGEST);
  const ids = ['a', 'b', 'c', 'said', 'called'];
  expect(ids.filter((id) => continuations?.isContinued(id))).toEqual(['a', 'b']);
});

it('of a pipe, which can be read once, it leaves everything', async () => {
  const pipe = path.join(temporaryFolder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  expect(await readContinuations(pipe, LONGEST)).toBeUndefined();
});

it('of runs that share turns, only the last is superseded by none', () => {
  const continuations = new Continuations();
  // a ── b ── d
  //  └── c
  continuations.add('b', 'a');
  continuations.add('c', 'a');
  continuations.add('d', 'b');
  const superseded = ['a', 'b', 'c', 'd', 'apart'].map((id) => continuations.supersededBy(id));
  expect(superseded).toEqual(['c', 'd', undefined, 'c', undefined]);
});

it('ends also where runs of a damaged log continue each other', () => {
  const continuations = new Continuations();
  continuations.add('a', 'b');
  continuations.add('b', 'a');
  continuations.add('c', 'c');
  expect(['a', 'b', 'c'].map((id) => continuations.supersededBy(id))).toEqual(['b', 'a', 'c']);
});
