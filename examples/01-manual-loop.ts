// A loop written by hand. Each turn is reported before the loop acts on it; an alarm stops the loop there.
import assert from 'node:assert/strict';
import { AuditHalt, createRuntime } from 'agentforesight';
import { withAuditor } from 'agentforesight/manual';

const published: string[] = [];

const answer = withAuditor(async (task, report) => {
  await report({ agent: 'planner', kind: 'agent', content: `Look up the figure, then publish it: ${task}` });
  await report({ agent: 'analyst', kind: 'tool', toolName: 'lookup', content: 'revenue: 2000' });
  const conclusion = 'Revenue was 200.'; // a digit was lost
  await report({ agent: 'analyst', kind: 'agent', content: conclusion });
  published.push(conclusion);
  return conclusion;
}, createRuntime());

const halt: unknown = await answer('What was the revenue?').catch((error: unknown) => error);

assert(halt instanceof AuditHalt);
assert.deepEqual([halt.alarm?.step, halt.alarm?.agent], [3, 'analyst']);
assert.deepEqual(published, []);
console.log(halt.message);
