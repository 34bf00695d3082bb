import {
  goOn,
  langGraph,
  type Mutant,
  manual,
  overErrors,
  overHook,
  overInfo,
  overOptions,
  overSession,
  overTurn,
} from './mutation.js';

export const fidelityMutants: readonly Mutant[] = [
  {
    does: 'tidies up the task',
    fails: ['turn 0 is the task, word by word, from the user'],
    subject: overInfo(manual, (info) => ({ ...info, task: info.task.trim() })),
  },
  {
    does: 'shortens what is long',
    fails: ['what an agent says is kept whole, to the last character'],
    subject: overTurn(langGraph, (turn) => ({ ...turn, content: turn.content.slice(0, 100_000) })),
  },
  {
    does: 'drops tool calls',
    fails: ['a tool call keeps its name, its arguments, and the agent that made it'],
    subject: overTurn(langGraph, ({ toolCalls: _calls, ...turn }) => turn),
  },
  {
    does: 'has tools speak for themselves',
    fails: ['a tool’s answer is told as such, for the agent that called, with the call that it answers'],
    subject: overTurn(langGraph, (turn) => (turn.toolName ? { ...turn, agent: turn.toolName } : turn)),
  },
  {
    does: 'takes a tool’s error for its answer',
    fails: ['a tool’s error is told as an error, with its message'],
    subject: overTurn(langGraph, ({ isError: _error, ...turn }) => turn),
  },
  {
    does: 'takes the same words for the same turn',
    fails: ['the same words from two agents are two turns'],
    subject: overSession(langGraph, (session) => {
      const told = new Set<string>();
      return {
        async submit(turn) {
          if (turn.content !== '' && told.has(turn.content)) return goOn;
          told.add(turn.content);
          return session.submit(turn);
        },
      };
    }),
  },
  {
    does: 'tells failed attempts as turns',
    fails: ['an agent that is tried again is told once, when it has spoken'],
    subject: overErrors((error, session) => session.submit({ agent: 'host', kind: 'agent', content: error })),
  },
  {
    does: 'closes failed runs as completed',
    fails: ['what a failed run has said is told, and that it failed'],
    subject: overSession(langGraph, (session) => ({ close: () => session.close({ status: 'completed' }) })),
  },
  {
    does: 'quotes the host’s config',
    fails: ['what no agent said, such as a system prompt, leaks nowhere'],
    subject: overHook((_hooked, bare, runtime) =>
      langGraph.harness.plugin.hook(bare, {
        ...runtime,
        openSession: (info) =>
          runtime.openSession({
            ...info,
            tools: [{ name: 'config', description: JSON.stringify(bare.config) }],
          }),
      }),
    ),
  },
  {
    does: 'redacts nothing',
    fails: ['a secret in a line, in arguments or in an answer reaches neither auditor, record nor halt'],
    subject: overOptions(langGraph, (options) => ({ ...options, redactor: { redact: (value) => value } })),
  },
];
