import { describe, expect, it } from 'vitest';
import { agentDebug } from '../../../bench/baselines/agent-debug.js';
import type { SampleTurn } from '../../../collectors/sample.js';
import { alarmReply, fails, replies, SAFE } from '../../support/model-server/behaviours.js';
import type { SeenChat } from '../../support/model-server.js';
import { answers, benchRun, newestOf, notesOf, questionOf, walking } from '../support/walked-baseline.js';

const TURNS: readonly SampleTurn[] = [
  { agent: 'user', kind: 'user', content: 'Multiply 17 by 24.' },
  { agent: 'planner', kind: 'agent', content: 'Use the tool.' },
  {
    agent: 'solver',
    kind: 'agent',
    content: '',
    toolCalls: [{ id: '1', name: 'multiply', args: { a: 17 } }],
  },
  { agent: 'solver', kind: 'tool', toolName: 'multiply', content: 'Error: b is missing' },
  { agent: 'solver', kind: 'agent', content: 'It is 400.' },
];
const bench = benchRun(TURNS, { kind: 'unsafe', step: 4, agent: 'solver' });
const safe = benchRun(TURNS, { kind: 'safe' });

const none = answers({ error_detected: false, error_type: null, evidence: null, reasoning: 'It is right.' });
const wrong = answers({
  error_detected: true,
  error_type: 'parameter_error',
  evidence: 'a: 17',
  reasoning: 'b is missing',
});
const isExamination = (seen: SeenChat) => questionOf(seen).startsWith('You examine');
const examined = (seen: SeenChat) => {
  const [, step, module] = /You examine step (\d+), .* Look at its (\w+)/.exec(questionOf(seen)) ?? [];
  return `${step} ${module}`;
};
const found = (seen: SeenChat) => (examined(seen) === '2 action' ? wrong : none);
const alarms = replies({ text: alarmReply(2, 'solver', 'action: parameter_error') });

describe('AgentDebug', () => {
  it('examines each module of each agent step with what it was answered, then looks at the whole', async () => {
    const { prediction, server, purposes } = await walking(
      agentDebug,
      (seen) => (isExamination(seen) ? found(seen) : alarms),
      { bench },
    );
    expect(prediction.audits).toMatchObject([
      { step: 4, verdict: { kind: 'alarm', step: 2, agent: 'solver', reason: 'action: parameter_error' } },
    ]);
    // 4 * 3 - 2 + 1: the first step has nothing to remember, and one tool answered with a fault.
    expect(purposes).toEqual([...Array.from({ length: 11 }, () => 'thought'), 'verdict']);
    const examinations = server.requests.filter(isExamination);
    expect(examinations.map(examined)).toEqual([
      '1 planning',
      '1 action',
      ...['memory', 'reflection', 'planning', 'action', 'surroundings'].map((module) => `2 ${module}`),
      ...['memory', 'reflection', 'planning', 'action'].map((module) => `4 ${module}`),
    ]);
    expect(examinations.map(newestOf)).toEqual([1, 1, 3, 3, 3, 3, 3, 4, 4, 4, 4]);
    expect(questionOf(examinations[0])).toContain('- inefficient_plan:');
    expect(questionOf(examinations[0])).not.toContain('- parameter_error:');
    const last = server.requests.at(-1);
    expect(newestOf(last)).toBe(4);
    expect(notesOf(last)).toEqual([
      {
        step: 2,
        agent: 'solver',
        errors: [{ module: 'action', kind: 'parameter_error', why: 'a: 17 | b is missing' }],
      },
    ]);
    expect(questionOf(last)).toMatch(
      /^The run is over\. You are not told whether it succeeded\..*Reply in exactly this form/s,
    );
  });

  it('asks about a safe run all the same, and tells it no more of the end', async () => {
    const asked = async (of: typeof bench) => {
      const { server } = await walking(agentDebug, (seen) => (isExamination(seen) ? found(seen) : alarms), {
        bench: of,
      });
      return server.requests.map(({ body }) => body.messages);
    };
    expect(await asked(safe)).toEqual(await asked(bench));
  });

  it('takes SAFE for an answer, and is told of a failure only where the configuration says so', async () => {
    const script = (seen: SeenChat) => (isExamination(seen) ? none : replies({ text: SAFE }));
    const { prediction, server } = await walking(agentDebug, script, {
      bench: safe,
      config: { outcome: 'failed' },
    });
    expect(prediction.audits).toMatchObject([{ verdict: { kind: 'continue' } }]);
    expect(notesOf(server.requests.at(-1))).toEqual([{ errors: 'none found' }]);
    expect(questionOf(server.requests.at(-1))).toMatch(/^The run is over, and has failed\./);
  });

  it('can examine a step in one call', async () => {
    const errors = [{ module: 'planning', error_type: 'constraint_ignorance', reasoning: 'No check.' }];
    const { purposes, server } = await walking(
      agentDebug,
      (seen) => (isExamination(seen) ? answers({ errors: newestOf(seen) === 1 ? errors : [] }) : alarms),
      { bench, config: { detect: 'per-step' } },
    );
    expect(purposes).toEqual(['thought', 'thought', 'thought', 'verdict']);
    expect(questionOf(server.requests[0])).toMatch(
      /constraint_ignorance.*parameter_error.*environment_error/s,
    );
    expect(notesOf(server.requests[3])).toEqual([
      {
        step: 1,
        agent: 'planner',
        errors: [{ module: 'planning', kind: 'constraint_ignorance', why: 'No check.' }],
      },
    ]);
  });

  it('goes on without what cannot be read, but not without anything', async () => {
    const mumbles = replies({ text: 'Perhaps.' });
    const some = await walking(
      agentDebug,
      (seen) => (isExamination(seen) ? (examined(seen).startsWith('1') ? none : mumbles) : alarms),
      { bench },
    );
    expect(some.prediction.audits).toMatchObject([{ verdict: { kind: 'alarm' } }]);
    const nothing = await walking(agentDebug, () => mumbles, { bench });
    expect(nothing.prediction.audits).toMatchObject([{ failure: { kind: 'invalid' } }]);
    expect(nothing.purposes).toHaveLength(11);
  });

  it('is no Continue where the server fails, or names an agent that is not there', async () => {
    const fault = await walking(agentDebug, (_, count) => (count === 5 ? fails(500, 'oops') : none), {
      bench,
    });
    expect(fault.prediction.audits).toMatchObject([{ failure: { kind: 'unavailable' } }]);
    const nobody = replies({ text: alarmReply(2, 'nobody') });
    const wrongName = await walking(agentDebug, (seen) => (isExamination(seen) ? none : nobody), { bench });
    expect(wrongName.prediction.audits).toMatchObject([{ failure: { kind: 'invalid' } }]);
    expect(wrongName.purposes.slice(-2)).toEqual(['verdict', 'repair']);
  });

  it('tells many findings in fewer words each', async () => {
    const turns: SampleTurn[] = [
      TURNS[0] as SampleTurn,
      ...Array.from({ length: 60 }, (_, at) => ({
        agent: 'solver',
        kind: 'agent' as const,
        content: `Step ${at}.`,
      })),
    ];
    const long = answers({ error_detected: true, error_type: 'hallucination', reasoning: 'so '.repeat(400) });
    const { server, prediction } = await walking(
      agentDebug,
      (seen) => (isExamination(seen) ? long : replies({ text: SAFE })),
      { bench: benchRun(turns, { kind: 'safe' }) },
    );
    expect(prediction.audits).toMatchObject([{ verdict: { kind: 'continue' } }]);
    const notes = notesOf(server.requests.at(-1));
    expect(notes).toHaveLength(60);
    expect(JSON.stringify(notes).length / 4).toBeLessThan(10_000);
  });
});
