import assert from 'node:assert/strict';
import type { Turn } from '../../core/index.js';
import type { Clause, Subject } from './clause.js';
import type { AgentStep } from './harness.js';
import { add, everything, says, withTool } from './scenarios.js';
import { alarmWhen, errorOf, haltOf, trial } from './trial.js';

/** What is told is what was said, by whom it was said, and nothing else. */
export const fidelity: Clause = {
  name: 'fidelity',
  checks: [
    {
      name: 'turn 0 is the task, word by word, from the user',
      run: async (subject) => {
        const task = '  Is 1 < 2?\n\n"Yes" or „nein“? 🤖\n';
        const tried = trial(subject, withTool);
        await tried.run({ task, thread: 'one' });
        const [first] = tried.turns();
        assert.deepEqual(
          [first?.index, first?.agent, first?.kind, first?.content],
          [0, 'user', 'user', task],
        );
        assert.equal(tried.requests[0]?.task, task);
      },
    },
    {
      name: 'what an agent says is kept whole, to the last character',
      run: async (subject) => {
        const long = `\n${'a long story, with "quotes", {braces} and 🤖; '.repeat(5_000)}the end  \n`;
        const turns = await told(subject, says('solver', { says: long }));
        assert.deepEqual(
          turns.map(({ agent, kind, content }) => [agent, kind, content]),
          [['solver', 'agent', long]],
        );
      },
    },
    {
      name: 'a tool call keeps its name, its arguments, and the agent that made it',
      run: async (subject) => {
        const args = { text: 'a "b" 🤖', list: [1, null, true], deep: { er: { than: 'that' } } };
        const [call] = await told(subject, says('solver', { calls: { ...add, args } }));
        assert.equal(call?.agent, 'solver');
        assert.deepEqual(
          call.toolCalls?.map(({ name, args: kept }) => ({ name, args: kept })),
          [{ name: 'add', args }],
        );
      },
    },
    {
      name: 'a tool’s answer is told as such, for the agent that called, with the call that it answers',
      run: async (subject) => {
        const [call, answer] = await told(subject, says('solver', { calls: add }));
        assert.deepEqual(
          [answer?.agent, answer?.kind, answer?.toolName, answer?.content, answer?.isError ?? false],
          ['solver', 'tool', 'add', '40', false],
        );
        const id = call?.toolCalls?.[0]?.id;
        assert(id, 'the call has an id');
        assert.equal(answer?.toolCallId, id);
      },
    },
    {
      name: 'a tool’s error is told as an error, with its message',
      run: async (subject) => {
        const calls = { ...add, answers: 'the abacus is broken', fails: true };
        const [, answer, after] = await told(subject, says('solver', { calls }));
        assert.deepEqual([answer?.agent, answer?.kind, answer?.isError], ['solver', 'tool', true]);
        assert.match(answer?.content ?? '', /the abacus is broken/);
        assert.equal(after?.kind, 'agent', 'the agent goes on');
      },
    },
    {
      name: 'the same words from two agents are two turns',
      run: async (subject) => {
        const turns = await told(subject, says('one', { says: 'Agreed.' }), says('two', { says: 'Agreed.' }));
        assert.deepEqual(
          turns.map(({ agent, content }) => [agent, content]),
          [
            ['one', 'Agreed.'],
            ['two', 'Agreed.'],
          ],
        );
      },
    },
    {
      name: 'an agent that is tried again is told once, when it has spoken',
      run: async (subject) => {
        const throws = { error: new Error('no network'), times: 2 };
        const turns = await told(subject, says('flaky', { throws, attempts: 3 }), says('verifier'));
        assert.deepEqual(
          turns.map(({ agent }) => agent),
          ['flaky', 'verifier'],
        );
      },
    },
    {
      name: 'what a failed run has said is told, and that it failed',
      run: async (subject) => {
        const throws = { error: new Error('no network'), times: Number.POSITIVE_INFINITY };
        const tried = trial(subject, { steps: [says('planner'), says('solver', { throws })] });
        await errorOf(tried.run());
        assert.deepEqual(
          tried.turns().map(({ agent }) => agent),
          ['user', 'planner'],
        );
        assert.deepEqual(
          tried.of('close').map(({ outcome }) => outcome),
          [{ status: 'failed', error: 'no network' }],
        );
      },
    },
    {
      name: 'what no agent said, such as a system prompt, leaks nowhere',
      run: async (subject) => {
        const canary = 'the canary sings at dawn';
        const wrong = ({ agent }: Turn) => agent === 'verifier';
        const tried = trial(subject, { ...everything, unsaid: canary }, { reply: alarmWhen(wrong) });
        const halt = await haltOf(tried.run());
        const heard = tried.heard.filter((text) => text.includes(canary));
        assert(heard.length > 0, 'the harness hands `unsaid` to agents, and from there to watch.ran()');
        assertAbsent(canary, { requests: tried.requests, records: tried.records, halt: { ...halt } });
      },
    },
    {
      name: 'a secret in a line, in arguments or in an answer reaches neither auditor, record nor halt',
      run: async (subject) => {
        const secret = 'sk-proj-Q7mWc1Zt9Xb4Lr8KpV2n';
        const calls = { tool: 'fetch', args: { auth: `Bearer ${secret}` }, answers: `used ${secret}` };
        const steps = [says('solver', { calls, says: `I used ${secret}.` }), says('verifier')];
        const wrong = ({ agent }: Turn) => agent === 'verifier';
        const tried = trial(subject, { steps }, { reply: alarmWhen(wrong) });
        const halt = await haltOf(tried.run());
        assert.equal(halt.turns.length, 5);
        assertAbsent(secret, { requests: tried.requests, records: tried.records, halt: { ...halt } });
      },
    },
  ],
};

/** The turns of agents in a row, without the task. */
async function told(subject: Subject, ...steps: readonly AgentStep[]): Promise<Turn[]> {
  const tried = trial(subject, { steps });
  await tried.run();
  return tried.turns().slice(1);
}

function assertAbsent(text: string, places: Readonly<Record<string, unknown>>): void {
  for (const [place, value] of Object.entries(places)) {
    assert(!JSON.stringify(value).includes(text), `${JSON.stringify(text)} stands in the ${place}`);
  }
}
