import { AIMessage, HumanMessage, RemoveMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { Command, Overwrite, Send } from '@langchain/langgraph';
import { expect, test } from 'vitest';
import type { TurnInput } from '../../../core/index.js';
import { SeenMessages } from '../../../plugins/langgraph/seen-messages.js';
import { newLedger, turnsOf } from '../../../plugins/langgraph/to-turn.js';

const ledger = () => newLedger(new SeenMessages());
const told = (output: unknown, into = ledger()): TurnInput[] =>
  turnsOf(output, { agent: 'worker', calledGraph: false }, into);
const short = ({ agent, kind, content, handoffTo }: TurnInput) => [
  agent,
  kind,
  content,
  ...(handoffTo ? [handoffTo] : []),
];

test.each<[string, unknown, unknown[]]>([
  ['nothing', undefined, []],
  ['null', null, []],
  ['an empty update', {}, []],
  ['one message, not in a list', { messages: new AIMessage('hi') }, [['worker', 'agent', 'hi']]],
  ['role and content', { messages: [{ role: 'assistant', content: 'hi' }] }, [['worker', 'agent', 'hi']]],
  ['a tuple', { messages: [['ai', 'hi']] }, [['worker', 'agent', 'hi']]],
  [
    'a list of texts',
    { messages: ['one', 'two'] },
    [
      ['worker', 'agent', 'one'],
      ['worker', 'agent', 'two'],
    ],
  ],
  [
    'a list of messages',
    [new AIMessage('one'), new AIMessage('two')],
    [
      ['worker', 'agent', 'one'],
      ['worker', 'agent', 'two'],
    ],
  ],
  [
    'an overwrite of the list',
    { messages: new Overwrite([new AIMessage('hi')]) },
    [['worker', 'agent', 'hi']],
  ],
  ['a bare text', 'done', [['worker', 'state', 'done']]],
  ['state without messages', { plan: 'a', n: 2n }, [['worker', 'state', '{"plan":"a","n":"2n"}']]],
  [
    'a name in the message',
    { messages: [new HumanMessage({ content: 'found it', name: 'researcher' })] },
    [['researcher', 'agent', 'found it']],
  ],
  ['a system message', { messages: [new SystemMessage('be brief')] }, [['worker', 'state', 'be brief']]],
  ['a removal', { messages: [new RemoveMessage({ id: 'x' })] }, []],
  ['a command that only goes', new Command({ goto: 'next' }), [['worker', 'handoff', '', 'next']]],
  [
    'a command that fans out',
    new Command({ goto: [new Send('a', {}), 'b'] }),
    [['worker', 'handoff', '', 'a, b']],
  ],
  ['a command to the end', new Command({ goto: '__end__' }), []],
  [
    'a command with a message',
    new Command({ goto: 'next', update: { messages: [new AIMessage('over to you')] } }),
    [['worker', 'agent', 'over to you', 'next']],
  ],
  [
    'a command whose update repeats a key',
    new Command({
      update: [
        ['messages', [new AIMessage('one')]],
        ['messages', [new AIMessage('two')]],
      ] as never,
    }),
    [
      ['worker', 'agent', 'one'],
      ['worker', 'agent', 'two'],
    ],
  ],
  [
    'commands and updates side by side',
    [new Command({ goto: 'x' }), { messages: [new AIMessage('hi')] }],
    [
      ['worker', 'handoff', '', 'x'],
      ['worker', 'agent', 'hi'],
    ],
  ],
])('%s', (_what, output, expected) => {
  expect(told(output).map(short)).toEqual(expected);
});

test('a tool result is told by the agent that made the call, with its error', () => {
  const into = ledger();
  into.callers.set('call-1', 'solver');
  const message = new ToolMessage({ content: 'boom', tool_call_id: 'call-1', name: 'calc', status: 'error' });
  expect(told({ messages: [message] }, into)).toMatchObject([
    { agent: 'solver', kind: 'tool', content: 'boom', toolCallId: 'call-1', toolName: 'calc', isError: true },
  ]);
});

test('calls are read where they stand: parsed, unparsable, or in the content only', () => {
  const parsed = new AIMessage({ content: '', tool_calls: [{ id: '1', name: 'add', args: { a: 1 } }] });
  const unparsable = new AIMessage({
    content: '',
    invalid_tool_calls: [{ id: '2', name: 'add', args: '{"a":', error: 'bad JSON' }],
  });
  const inContent = new AIMessage({
    content: [
      { type: 'text', text: 'I add.' },
      { type: 'tool_use', id: '3', name: 'add', input: { a: 1 } },
    ],
  });
  inContent.tool_calls = [];
  expect(
    told({ messages: [parsed, unparsable, inContent] }).map(({ content, toolCalls }) => ({
      content,
      toolCalls,
    })),
  ).toEqual([
    { content: '', toolCalls: [{ id: '1', name: 'add', args: { a: 1 } }] },
    { content: '', toolCalls: [{ id: '2', name: 'add', args: '{"a":', error: 'bad JSON' }] },
    { content: 'I add.', toolCalls: [{ id: '3', name: 'add', args: { a: 1 } }] },
  ]);
});

test.each<[string, ConstructorParameters<typeof AIMessage>[0]]>([
  [
    'a thinking block',
    {
      content: [
        { type: 'thinking', thinking: 'hmm' },
        { type: 'text', text: 'hi' },
      ],
    },
  ],
  [
    'a reasoning block',
    {
      content: [
        { type: 'reasoning', reasoning: 'hmm' },
        { type: 'text', text: 'hi' },
      ],
    },
  ],
  [
    'a reasoning summary',
    {
      content: [
        { type: 'reasoning', summary: [{ text: 'hmm' }] },
        { type: 'text', text: 'hi' },
      ],
    },
  ],
  ['reasoning_content', { content: 'hi', additional_kwargs: { reasoning_content: 'hmm' } }],
  [
    'a reasoning field with summary',
    { content: 'hi', additional_kwargs: { reasoning: { summary: [{ text: 'hmm' }] } } },
  ],
])('the thought is found in %s', (_what, fields) => {
  expect(told({ messages: [new AIMessage(fields)] })).toMatchObject([{ thought: 'hmm', content: 'hi' }]);
});

test('a message is told once, whether it comes back as itself, as a copy, or with the id that it got later', () => {
  const into = ledger();
  const message = new AIMessage('hi');
  expect(told({ messages: [message] }, into)).toHaveLength(1);
  expect(told({ messages: [message] }, into)).toHaveLength(0);
  message.id = 'given by the reducer';
  expect(told({ messages: [new AIMessage({ id: message.id, content: 'hi' })] }, into)).toHaveLength(0);
});

test('the same id with other words is news', () => {
  const into = ledger();
  told({ messages: [new AIMessage({ id: 'x', content: 'send it' })] }, into);
  expect(told({ messages: [new AIMessage({ id: 'x', content: 'do not send it' })] }, into)).toHaveLength(1);
});

test('content that is no text is kept as JSON', () => {
  const image = { type: 'image_url', image_url: { url: 'https://example.org/a.png' } };
  expect(
    told({ messages: [new AIMessage({ content: [{ type: 'text', text: 'see' }, image] })] })[0]?.content,
  ).toBe(`see\n${JSON.stringify(image)}`);
});

test('a node that ran a graph tells no state of its own: its graph has', () => {
  expect(turnsOf({ plan: 'x' }, { agent: 'worker', calledGraph: true }, ledger())).toEqual([]);
});

test('but a bare value that a task returns is told, though it ran a graph', () => {
  expect(turnsOf('all done', { agent: 'worker', calledGraph: true }, ledger())).toMatchObject([
    { kind: 'state', content: 'all done' },
  ]);
});
