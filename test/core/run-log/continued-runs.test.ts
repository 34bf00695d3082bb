import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { continuedRuns } from '../../../core/run-log/continued-runs.js';
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
  expect(await continuedRuns(file, LONGEST)).toEqual(new Set(['a', 'b']));
});

it('of a pipe, which can be read once, it leaves everything', async () => {
  const pipe = path.join(temporaryFolder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  expect(await continuedRuns(pipe, LONGEST)).toBeUndefined();
});
