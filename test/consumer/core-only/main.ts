// A consumer without any framework: importing core must load none. Type-checked with the libraries checked too.
import assert from 'node:assert/strict';
import {
  AuditHalt,
  type Auditor,
  createRuntime,
  jsonlRecorder,
  memoryRecorder,
  readRuns,
  type Verdict,
} from 'agentforesight';
import { ingestSource, runPipeline, type Stage, splitStage } from 'agentforesight/collectors';
import { withAuditor } from 'agentforesight/manual';
import { ScriptedAuditor } from 'agentforesight/testing';

const alarm: Verdict = { kind: 'alarm', step: 1, agent: 'planner', reason: 'wrong plan' };
const auditor: Auditor = new ScriptedAuditor([alarm]);
const log = jsonlRecorder('runs.jsonl');
const runtime = createRuntime({ auditor, recorder: log });
const solve = withAuditor(async (task, report) => {
  await report({ agent: 'planner', kind: 'agent', content: `a plan for ${task}` });
  return task.length;
}, runtime);

const halt: unknown = await solve('sums').catch((error: unknown) => error);
assert(halt instanceof AuditHalt);
assert.deepEqual([halt.alarm?.step, halt.turns.length, halt.verdicts.length], [1, 2, 1]);
assert.deepEqual(await runtime.flush(), { written: 5, dropped: 0, pending: 0 });
await log.close();
const runs = await Array.fromAsync(readRuns('runs.jsonl'));
assert.deepEqual(
  runs.map(({ outcome, turns }) => [outcome?.status, turns.length]),
  [['halted', 2]],
);

const recorder = memoryRecorder();
const count: number = await withAuditor(
  async (task: string) => task.length,
  createRuntime({ recorder }),
)('sums');
assert.equal(count, 4);
console.log('core only: ok');

const consenting = jsonlRecorder('agreed.jsonl');
const agreed = createRuntime({ recorder: consenting, consent: true });
await withAuditor(async (task: string, report) => {
  await report({ agent: 'planner', kind: 'agent', content: `a plan for ${task}` });
}, agreed)('sums');
await agreed.flush();
await consenting.close();
const marking: Stage = {
  name: 'marking',
  options: {},
  process: async (sample) => ({ samples: [{ ...sample, domain: 'sums' }], decisions: [] }),
};
const source = ingestSource({ paths: ['runs.jsonl', 'agreed.jsonl'] });
const manifests = await runPipeline({ source, stages: [marking, splitStage()], folder: 'corpus' });
assert.deepEqual(
  manifests.map(({ name, counts }) => [name, counts?.out]),
  [
    ['ingest', 1],
    ['marking', 1],
    ['split', 1],
  ],
);
