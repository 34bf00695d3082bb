import { describe, expect, it } from 'vitest';
import { portableSchedule } from '../../core/portable-schedule.js';
import { Trajectory } from '../../core/trajectory.js';
import {
  acts,
  answers,
  calls,
  environment,
  prefixes,
  prefixOf,
  type Spoken,
  says,
  terminal,
  user,
} from './auditors/signals-support.js';

const schedule = portableSchedule();
const due = (...turns: readonly Spoken[]) => schedule.due(prefixOf(...turns));

describe('the speaker', () => {
  it.each([
    ['the task', user('Sum 1 and 2.')],
    ['a tool result', answers('add', '3')],
    ['a handover without a message', { agent: 'a', kind: 'handoff', content: '' } as const],
    ['an environment known by name only', says('environment', 'x = 3')],
    ['a terminal', says('Computer_terminal', 'exitcode: 0')],
    ['a terminal in one word', says('ComputerTerminal', 'exitcode: 0')],
    ['an executor', says('CodeExecutor', 'done')],
    ['a user who is logged as an agent', says('user_proxy', 'go on')],
  ])('is not asked about: %s', (_, turn) => {
    expect(due(turn)).toBe(false);
  });

  it.each([
    ['an agent', says('Solver', 'The sum is 3.')],
    [
      'an agent that returns state instead of a message',
      { agent: 'a', kind: 'state', content: '{"sum":3}' } as const,
    ],
    ['an agent whose name only contains such a word', says('Plan_Executor', 'The plan is done.')],
    ['a tool-using agent, whatever its name', calls('executor', 'add', { a: 1, b: 2 })],
    ['a search agent', says('search_agent', 'New York City.')],
    ['a thought without words', says('Solver', '', { thought: 'First, factor.' })],
  ])('is asked about: %s', (_, turn) => {
    expect(due(user('Sum 1 and 2.'), turn)).toBe(true);
  });
});

describe('an echo', () => {
  it.each([
    ['live', answers('run', 'ALL_TESTS_PASSED.'), 'all_tests_passed.'],
    ['imported', environment(['run', 'ALL_TESTS_PASSED.']), '"ALL_TESTS_PASSED."'],
    ['of parallel results, joined', environment(['compute', '3'], ['compute', '4']), '3\n4'],
    ['of one of parallel results', environment(['compute', '3'], ['compute', '4']), '4'],
    ['of a terminal', terminal('exitcode: 0\nCode output: 3'), '`exitcode: 0` Code output: 3'],
  ])('is skipped: %s', (_, result, echo) => {
    expect(due(user('t'), result, says('Solver', echo))).toBe(false);
  });

  it('of several live results is one echo', () => {
    expect(due(user('t'), answers('a', '3'), answers('b', '4'), says('Solver', '3\n4'))).toBe(false);
  });

  it('that says more, calls a tool, or comes from an agent is none', () => {
    expect(due(user('t'), answers('run', '3'), says('Solver', '3, so the answer is 3.'))).toBe(true);
    expect(
      due(
        user('t'),
        answers('run', '3'),
        says('Solver', '3', { toolCalls: [{ id: '1', name: 'go', args: {} }] }),
      ),
    ).toBe(true);
    expect(due(user('t'), says('Other', '3'), says('Solver', '3'))).toBe(true);
  });
});

describe('a transfer notice', () => {
  it.each([
    ['a call alone', calls('Writer', 'transfer_to_codetester', {})],
    ['a call kept as a bare name', acts('Writer', 'transfer_to_codetester')],
    ['the way back by call', calls('Tester', 'transfer_back_to_supervisor', null)],
    ['a call kept as text', acts('Writer', 'transfer_to_codetester()')],
    ['the notice', says('Writer', 'Transferred to CodeTester, adopting the role of CodeTester immediately.')],
    ['the way back', says('Tester', 'Successfully transferred back to supervisor')],
    ['an orchestrator', says('Orchestrator (thought)', 'Next speaker WebSurfer')],
  ])('is skipped: %s', (_, turn) => {
    expect(due(user('t'), turn)).toBe(false);
  });

  it.each([
    ['a reason', says('Writer', 'Transferred to CodeTester. The third test is wrong, ignore it.')],
    [
      'a thought',
      says('Writer', '', { ...calls('Writer', 'transfer_to_tester', {}), thought: 'All tests pass.' }),
    ],
    ['a briefing', calls('Lead', 'transfer_to_clerk', { task: 'Pay them.' })],
    ['money to an account', calls('Clerk', 'transfer_to_account', { amount: 4250 })],
    ['funds', calls('Clerk', 'transfer_funds', {})],
    ['money', calls('Clerk', 'transfer', { to: 'ACCT-1', amount: 4250 })],
    [
      'another call',
      says('Writer', '', {
        toolCalls: [
          { id: '1', name: 'transfer_to_tester', args: {} },
          { id: '2', name: 'delete_file', args: { path: 'a' } },
        ],
      }),
    ],
  ])('with %s is more than that', (_, turn) => {
    expect(due(user('t'), turn)).toBe(true);
  });
});

describe('an exact repeat', () => {
  it('is skipped when the same agent uses the same words, however long ago', () => {
    const filler = Array.from({ length: 50 }, (_, at) => says('Other', `Step ${at}.`));
    expect(
      due(user('t'), says('A', 'I will search again.'), ...filler, says('A', 'I will  SEARCH again.')),
    ).toBe(false);
  });

  it('is none from another agent, with another sign, or with other arguments', () => {
    expect(due(user('t'), says('A', 'The answer is 5'), says('B', 'The answer is 5'))).toBe(true);
    expect(due(user('t'), says('A', 'The answer is 5'), says('A', 'The answer is -5'))).toBe(true);
    expect(due(user('t'), calls('A', 'search', { q: 'x' }), calls('A', 'search', { q: 'y' }))).toBe(true);
  });

  it('counts calls: the same search twice is a repeat', () => {
    expect(
      due(
        user('t'),
        calls('A', 'search', { q: 'x' }, '1'),
        answers('search', '-'),
        calls('A', 'search', { q: 'x' }, '2'),
      ),
    ).toBe(false);
  });

  it('looks at no sibling branch: each lane is judged by its own past', () => {
    const trajectory = new Trajectory();
    const said = { kind: 'agent', agent: 'A', content: 'Searching.', at: 0 } as const;
    trajectory.append({ ...said, content: 't', kind: 'user', id: '0', path: [] });
    const left = trajectory.append({ ...said, id: '1', path: [{ step: 1, lane: 'left' }] });
    const right = trajectory.append({ ...said, id: '2', path: [{ step: 1, lane: 'right' }] });
    expect([schedule.due(left), schedule.due(right)]).toEqual([true, true]);
  });

  it('empty turns and bare event names are skipped', () => {
    expect(due(user('t'), says('A', ' \n'))).toBe(false);
    expect(due(user('t'), acts('A', '[ThoughtEvent]'))).toBe(false);
  });
});

describe('cost', () => {
  it('reads each turn a bounded number of times, however long the run', () => {
    const readsPerTurn = (length: number) => {
      let reads = 0;
      const counted = (turn: Spoken): Spoken => ({
        ...turn,
        get thought() {
          reads++;
          return '';
        },
      });
      const trajectory = new Trajectory();
      for (let at = 0; at < length; at++) {
        const turn = counted(says('A', `Step ${at}`));
        // Assigned, not spread: a spread would read the counter once and drop it.
        const placed = Object.defineProperties(
          { id: `${at}`, path: [], at: 0, index: at },
          Object.getOwnPropertyDescriptors(turn),
        ) as typeof turn & { id: string; path: []; at: number; index: number };
        schedule.due(trajectory.append(placed));
      }
      return reads / length;
    };
    expect(readsPerTurn(20_000)).toBeLessThanOrEqual(readsPerTurn(1_000) + 0.01);
  });

  it('takes a turn of 5 MB in its stride', () => {
    const huge = 'Transferred to '.repeat(350_000);
    const started = performance.now();
    expect(due(user('t'), answers('read', huge), says('A', `${huge}!`))).toBe(true);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

it('depends on the prefix alone, asked in any order and as often as you like', () => {
  const seen = prefixes([user('t'), says('A', 'One.'), says('A', 'Two.'), says('A', 'One.')]);
  const forwards = seen.map((prefix) => schedule.due(prefix));
  const backwards = seen.toReversed().map((prefix) => portableSchedule().due(prefix));
  expect(backwards.toReversed()).toEqual(forwards);
  expect(forwards).toEqual([false, true, true, false]);
});
