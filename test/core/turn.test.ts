import { describe, expect, it } from 'vitest';
import { type Turn, toAfTrajTurn, turnInputSchema } from '../../core/turn.js';

const turn = (more: Partial<Turn>): Turn => ({
  id: 'x',
  index: 1,
  agent: 'solver',
  kind: 'agent',
  content: '',
  path: [],
  at: 0,
  ...more,
});

describe('toAfTrajTurn', () => {
  it.each<[string, Partial<Turn>, ReturnType<typeof toAfTrajTurn>]>([
    [
      'words',
      { content: '3', thought: '1 + 2' },
      { role: 'solver', thought: '1 + 2', action: '', content: '3' },
    ],
    [
      'a call, its arguments as text',
      { toolCalls: [{ id: 'c1', name: 'add', args: { a: 1 } }] },
      {
        role: 'solver',
        thought: '',
        action: '[{"name":"add","arguments":"{\\"a\\":1}","id":"c1"}]',
        content: '',
      },
    ],
    ['no calls', { toolCalls: [] }, { role: 'solver', thought: '', action: '', content: '' }],
    [
      'a result',
      { kind: 'tool', content: '3', toolName: 'add', toolCallId: 'c1' },
      {
        role: 'environment',
        thought: '',
        action: '',
        content: '[{"name":"add","result":"3","call_id":"c1"}]',
      },
    ],
    [
      'a result of a tool that is not named',
      { kind: 'tool', content: '3' },
      { role: 'environment', thought: '', action: '', content: '3' },
    ],
    [
      'a handoff',
      { kind: 'handoff', handoffTo: 'writer' },
      { role: 'solver', thought: '', action: 'transfer_to_writer', content: '' },
    ],
    [
      'the task',
      { kind: 'user', agent: 'me', content: 'Sum.' },
      { role: 'user', thought: '', action: '', content: 'Sum.' },
    ],
  ])('renders %s', (_, more, rendered) => {
    expect(toAfTrajTurn(turn(more))).toEqual(rendered);
  });
});

describe('a submitted turn', () => {
  it('needs an agent, a kind and a content, and no more', () => {
    expect(turnInputSchema.parse({ agent: 'a', kind: 'state', content: '' })).toEqual({
      agent: 'a',
      kind: 'state',
      content: '',
    });
  });

  it('loses what is no part of a turn', () => {
    const parsed = turnInputSchema.parse({ agent: 'a', kind: 'agent', content: '', index: 7, client: {} });
    expect(Object.keys(parsed)).toEqual(['agent', 'kind', 'content']);
  });
});
