import { expect, test } from 'vitest';
import { audited } from '../../support/agent-runs.js';

test('a call of an earlier process is answered for the agent that made it, unless it was answered there', () => {
  const { run, turns } = audited();
  run.open({ task: 'task' });
  const call = run.begin('solver');
  call.adopt({ toolCallId: 'a', toolName: 'add', agent: 'planner' });
  call.adopt({ toolCallId: 'b', toolName: 'add', agent: 'planner' });
  call.forget('b');
  call.answered('a', () => ({ content: '40' }));
  call.answered('b', () => ({ content: '41' }));
  const told = turns().filter(({ kind }) => kind === 'tool');
  expect(told.map(({ agent, toolName, content }) => [agent, toolName, content])).toEqual([
    ['planner', 'add', '40'],
  ]);
});

test('a call that was left open, and is adopted, is answered once', () => {
  const { run, turns } = audited();
  run.open({ task: 'task' });
  const first = run.begin('planner');
  first.said(() => ({ content: '', toolCalls: [{ id: 'a', name: 'add', args: {} }] }));
  first.leave();
  const second = run.begin('planner');
  second.adopt({ toolCallId: 'a', toolName: 'add', agent: 'planner' });
  second.answered('a', () => ({ content: '40' }));
  expect(second.awaits('a')).toBe(false);
  second.answered('a', () => ({ content: '40' }));
  expect(turns().filter(({ kind }) => kind === 'tool')).toHaveLength(1);
});
