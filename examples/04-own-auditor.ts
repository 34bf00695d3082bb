// An auditor of your own: one method that reads the prefix and says Continue or Alarm. If it breaks, the run does not.
import assert from 'node:assert/strict';
import { AuditHalt, type Auditor, createRuntime, type Diagnostic, everyTurn } from 'agentforesight';
import { withAuditor } from 'agentforesight/manual';

const spendingLimit: Auditor = {
  name: 'spending-limit',
  schedule: everyTurn(),
  audit({ prefix }) {
    const { index, agent, toolCalls = [] } = prefix.newest;
    const payment = toolCalls.find(({ name }) => name === 'pay')?.args as { amount: number } | undefined;
    if (payment === undefined || payment.amount <= 100) return { kind: 'continue' };
    return { kind: 'alarm', step: index, agent, reason: `pays ${payment.amount}, above the limit of 100` };
  },
};

const paid: number[] = [];
const buyer = (auditor: Auditor, told: Diagnostic[] = []) =>
  withAuditor(
    async (_task, report) => {
      for (const amount of [20, 5000]) {
        const pay = { id: `pay-${amount}`, name: 'pay', args: { amount } };
        await report({ agent: 'buyer', kind: 'agent', content: '', toolCalls: [pay] }); // before the tool runs
        paid.push(amount);
      }
    },
    createRuntime({ auditor, diagnostics: { report: (diagnostic) => void told.push(diagnostic) } }),
  );

const halt: unknown = await buyer(spendingLimit)('Buy supplies').catch((error: unknown) => error);
assert(halt instanceof AuditHalt);
assert.deepEqual(paid, [20]);
console.log(halt.message);

const told: Diagnostic[] = [];
const broken: Auditor = { audit: () => Promise.reject(new Error('model server unreachable')) };
await buyer(broken, told)('Buy supplies'); // onAuditFailure: 'proceed' is the default; 'halt' is the other choice
assert.deepEqual(paid, [20, 20, 5000]);
assert.equal(told[0]?.code, 'audit-failure-threw');
