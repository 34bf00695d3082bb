// A new auditor on trial: it judges the same steps in the shadow of the old one, is compared, and takes over in mid-run.
import assert from 'node:assert/strict';
import { AuditHalt, type Auditor, createRuntime, memoryRecorder, shadow, swappable } from 'agentforesight';
import { withAuditor } from 'agentforesight/manual';

/** Two generations of a rule. A chat auditor on a new model goes on trial in the same way. */
const refundLimit = (name: string, pattern: RegExp): Auditor => ({
  name,
  audit({ prefix: { newest } }) {
    const amount = Number(pattern.exec(newest.content)?.[1] ?? 0);
    if (amount <= 100) return { kind: 'continue' };
    return { kind: 'alarm', step: newest.index, agent: newest.agent, reason: `refunds ${amount}, above 100` };
  },
});
const old = refundLimit('limit-1', /\$(\d+)/);
const candidate = refundLimit('limit-2', /(?:\$|USD )(\d+)/);

const auditor = swappable(shadow(old, candidate));
const { records, ...recorder } = memoryRecorder();
const runtime = createRuntime({ auditor, recorder });
const desk = withAuditor(async (task, report) => {
  for (const content of task.split('; ')) {
    await report({ agent: 'clerk', kind: 'agent', content });
    if (content.includes('Meanwhile')) auditor.swap(candidate); // an operator's decision, taken elsewhere
  }
}, runtime);

await desk('I refund $20.; I refund USD 900.'); // the old auditor misses it, and its verdict counts
const opinions = records.flatMap((record) => {
  if (record.type === 'verdict') return record.notes ?? [];
  return record.type === 'note' ? [record.note] : [];
});
const said = opinions.flatMap((note) => (note.type === 'opinion' && note.shadow ? [note.verdict?.kind] : []));
assert.deepEqual(said, ['continue', 'alarm']);
console.log('in the shadow:', said.join(', '));

const halt: unknown = await desk('I refund USD 30.; Meanwhile I read.; I refund USD 700.').catch(
  (error: unknown) => error,
);
assert(halt instanceof AuditHalt);
console.log(halt.message);

const opened = records.findLast((record) => record.type === 'run');
const judges = records.flatMap((record) =>
  record.type === 'verdict' && record.runId === opened?.runId ? [record.auditor ?? opened.auditor] : [],
);
assert.deepEqual(judges, ['limit-1', 'limit-1', 'limit-2']); // one run, and it names both
