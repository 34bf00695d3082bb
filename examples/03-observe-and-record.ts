// Shadow mode: nothing is ever halted, everything is recorded, and the log says what would have been halted.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createRuntime, jsonlRecorder, readRuns } from 'agentforesight';
import { withAuditor } from 'agentforesight/manual';

const folder = await mkdtemp(path.join(tmpdir(), 'agentforesight-example-'));
const log = path.join(folder, 'runs.jsonl');

const recorder = jsonlRecorder(log);
const runtime = createRuntime({ recorder, onAlarm: 'observe' });
const tally = withAuditor(async (_task, report) => {
  await report({ agent: 'counter', kind: 'tool', toolName: 'count', content: '42 items, password=hunter2' });
  await report({ agent: 'counter', kind: 'agent', content: 'There are 24 items.' });
  return 24;
}, runtime);

assert.equal(await tally('How many items?'), 24); // observed, not halted
const report = await runtime.flush(); // on a serverless host: waitUntil(runtime.flush())
assert.equal(report.dropped, 0);
await recorder.close();

const [run] = await Array.fromAsync(readRuns(log));
const wouldHalt = run?.verdicts.filter(({ verdict }) => verdict.kind === 'alarm') ?? [];
assert.deepEqual(
  wouldHalt.map(({ step, enforced }) => ({ step, enforced })),
  [{ step: 2, enforced: 'proceed' }],
);
assert.equal(run?.turns[1]?.content, '42 items, password=[redacted:assigned-secret]');
await rm(folder, { recursive: true });
console.log(`${report.written} records; would have halted at step ${wouldHalt[0]?.step}`);
