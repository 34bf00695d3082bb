import { expect, test } from 'vitest';
import { auditHalt, isAuditorTripwire, withAuditor } from '../../../plugins/mastra/index.js';
import { audited, strict } from '../../support/agent-runs.js';
import { agentThat, call, toolThat } from '../../support/mastra-agents.js';

test('says', async () => {
  const { runtime, turns, faults, of } = audited();
  const ran: string[] = [];
  const add = toolThat('add', () => { ran.push('add'); return '40'; });
  const host = agentThat('solver', [{ thought: 'hm', text: 'let me', calls: [call('add', { a: 1 })] }, { text: 'It is 40' }], { tools: { add } });
  const result = await withAuditor(host, runtime).generate('What is 17 + 23?');
  console.log(result.text, result.finishReason, JSON.stringify(turns(), null, 1), faults, of('run'), of('close'));
  const streamed = await withAuditor(agentThat('solver', [{ calls: [call('add', { a: 1 })] }, { text: 'It is 40' }], { tools: { add } }), runtime).stream('again');
  for await (const chunk of streamed.fullStream) console.log(chunk.type);
  console.log(await streamed.text, of('close'), turns().map((t) => t.content));
});
test('halts', async () => {
  const { runtime, turns, faults, of } = audited({ auditor: strict() });
  const ran: string[] = [];
  const add = toolThat('add', () => { ran.push('add'); return '40'; });
  const result = await withAuditor(agentThat('solver', [{ text: 'wrong', calls: [call('add', { a: 1 })] }, { text: 'It is 40' }], { tools: { add } }), runtime).generate('What is 17 + 23?');
  expect(ran).toEqual([]);
  console.log(result.text, result.finishReason, result.tripwire, turns().map((t) => t.content), faults, of('close'));
  expect(isAuditorTripwire(result)).toBe(true);
  console.log(auditHalt(result)?.turns.length);
  const streamed = await withAuditor(agentThat('solver', [{ calls: [call('add', { a: 1 })] }, { text: 'wrong' }], { tools: { add } }), runtime).stream('again');
  for await (const chunk of streamed.fullStream) console.log(chunk.type, isAuditorTripwire(chunk));
  console.log(await streamed.text, of('close'), turns().map((t) => t.content), isAuditorTripwire(streamed));
  const sub = agentThat('scout', [{ text: 'wrong' }]);
  const boss = agentThat('boss', [{ calls: [call('agent-scout', { prompt: 'go' })] }, { text: 'done' }], { agents: { scout: sub } });
  const nested = await withAuditor(boss, runtime).generate('nested');
  console.log(nested.tripwire, boss.prompts.length, of('turn').slice(-3).map(({turn}) => [turn.agent, turn.kind, turn.content, turn.path]), of('close').length, faults);
});
