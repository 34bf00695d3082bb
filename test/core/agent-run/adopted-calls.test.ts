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
