import { describe, expect, it } from 'vitest';
import { type CheckName, type InspectOptions, inspect } from '../../../core/auditors/signals-auditor.js';
import {
  acts,
  answers,
  calls,
  environment,
  prefixOf,
  type Spoken,
  says,
  terminal,
  user,
} from './signals-support.js';

const findWith = (options: InspectOptions, check: CheckName, ...turns: readonly Spoken[]) =>
  inspect(prefixOf(user('The task.'), ...turns), options).find((note) => note.check === check);
const find = (check: CheckName, ...turns: readonly Spoken[]) => findWith({}, check, ...turns);

describe('tool-failure', () => {
  const call = calls('Coder', 'run', { code: 'x' }, '1');

  it.each([
    ['by flag', answers('run', 'no such file', { toolCallId: '1', isError: true })],
    ['by traceback', answers('run', 'Traceback (most recent call last):\n  File …', { toolCallId: '1' })],
    ['by exit code, imported', environment(['run', 'exit code: 2', '1'])],
    ['by error line', answers('run', "NameError: name 'floor' is not defined", { toolCallId: '1' })],
    ['by error field', answers('run', '{\n  "error": "name is not defined"\n}', { toolCallId: '1' })],
    ['by a terminal', terminal('exitcode: 1 (execution failed)\nCode output: …')],
  ])('blames the caller: %s', (_, result) => {
    expect(find('tool-failure', call, result)).toMatchObject({ step: 1, agent: 'Coder' });
  });

  it('tells parallel callers apart by call id', () => {
    const other = calls('Other', 'run', { code: 'y' }, '2');
    const result = answers('run', 'boom', { toolCallId: '1', isError: true });
    expect(find('tool-failure', call, other, result)).toMatchObject({ step: 1, agent: 'Coder' });
  });

  it.each([
    ['success', 'exitcode: 0 (execution succeeded)'],
    [
      'a page about errors',
      'The standard error of the mean is 3. Type I error: rejecting a true hypothesis.',
    ],
    ['an empty error field', '{ "error": null, "rows": [] }'],
    ['a count of none', '12 passed, 0 failed'],
    ['an exit code in passing', 'errors: 0'],
  ])('is silent on %s', (_, text) => {
    expect(find('tool-failure', call, answers('run', text, { toolCallId: '1' }))).toBeUndefined();
  });
});

describe('false-arithmetic', () => {
  it.each([
    '17 * 24 = 418',
    '280-120=150',
    '\\(120 \\times 6 = 700\\).',
    'so 1,200 + 34.5 = 1,334.5 in all',
    '2 + 3 * 4 = 20',
  ])('fires on %s', (words) => {
    expect(find('false-arithmetic', says('Solver', words))?.reason).toContain('false equality');
  });

  it.each([
    ['a true one', '17 * 24 = 408'],
    ['precedence', '2 + 3 * 4 = 14'],
    ['a rounding', '10 / 3 = 3.33'],
    ['grouping', '1,000 + 234 = 1,234'],
    ['the end of a longer expression', 'x - 3 + 4 = 7 and 2^3 + 1 = 9'],
    ['the start of one', '3 + 4 = 5 + 2, 3 + 4 = 7x, 2 + 2 = 2^2'],
    ['brackets', '(2 + 3) * 4 = 20 and f(1) + 2 = 9'],
    ['a date, a version', '2024-01-02 = release 1.2.3'],
    ['division by zero', '1 / 0 = 0'],
  ])('is silent on %s', (_, words) => {
    expect(find('false-arithmetic', says('Solver', words))).toBeUndefined();
  });
});

describe('unsupported-claim', () => {
  const claim = calls('Manager', 'python_interpreter', 'final_answer("Bill Clinton")');

  it('fires on a final answer that no tool returned', () => {
    expect(find('unsupported-claim', answers('search', 'George Bush'), claim)?.reason).toContain(
      'Bill Clinton',
    );
    expect(find('unsupported-claim', says('Solver', 'FINAL ANSWER: 42'))).toBeDefined();
    expect(find('unsupported-claim', acts('Solver', 'final_answer("42")'))).toBeDefined();
  });

  it('is silent when a tool returned it, a verdict passed, or nothing is final', () => {
    expect(find('unsupported-claim', answers('search', 'It was Bill Clinton.'), claim)).toBeUndefined();
    expect(find('unsupported-claim', environment(['search', 'Clinton, Bill']), claim)).toBeUndefined();
    expect(
      find('unsupported-claim', answers('run', 'ALL_TESTS_PASSED'), says('A', 'FINAL_VERIFIED: good')),
    ).toBeUndefined();
    expect(find('unsupported-claim', says('Solver', 'I guess 42.'))).toBeUndefined();
  });
});

describe('claims-pass-after-failure', () => {
  const failed = answers('run_tests', 'TESTS_FAILED');

  it('fires on a pass claimed after a fail, live and imported', () => {
    expect(find('claims-pass-after-failure', failed, says('A', 'All tests pass.'))).toMatchObject({
      step: 2,
    });
    expect(
      find(
        'claims-pass-after-failure',
        environment(['v', 'VERIFIED_WRONG: 8']),
        says('A', 'ANSWER_VERIFIED: 27'),
      ),
    ).toBeDefined();
  });

  it('is silent after a pass, without a verdict, and on a hope', () => {
    expect(
      find(
        'claims-pass-after-failure',
        failed,
        answers('r', 'ALL_TESTS_PASSED'),
        says('A', 'All tests pass.'),
      ),
    ).toBeUndefined();
    expect(find('claims-pass-after-failure', says('A', 'All tests pass.'))).toBeUndefined();
    expect(
      find('claims-pass-after-failure', failed, says('A', 'I hope the tests will pass.')),
    ).toBeUndefined();
  });
});

describe('invalid-tool-call', () => {
  it('fires on what the host could not parse, and on broken JSON that an importer kept as text', () => {
    const broken = says('A', '', {
      toolCalls: [{ id: '1', name: 'search', args: null, error: 'Unexpected end of JSON' }],
    });
    expect(find('invalid-tool-call', broken)?.reason).toContain('Unexpected end');
    expect(find('invalid-tool-call', calls('A', 'search', '{"q": "unfinished'))).toBeDefined();
  });

  it('is silent on code as text, on JSON as text, and on arguments that were read', () => {
    expect(find('invalid-tool-call', calls('A', 'python', 'print({1: 2})'))).toBeUndefined();
    expect(find('invalid-tool-call', calls('A', 'python', '{x for x in y}'))).toBeUndefined();
    expect(find('invalid-tool-call', calls('A', 'search', '{"q": "x"}'))).toBeUndefined();
    expect(find('invalid-tool-call', calls('A', 'search', { q: '{"' }))).toBeUndefined();
  });
});

describe('unknown-tool', () => {
  const tools = [{ name: 'search' }];

  it('fires on a tool that the run was not opened with', () => {
    expect(findWith({ tools }, 'unknown-tool', calls('A', 'delete_all', {}))?.reason).toContain('delete_all');
  });

  it('is silent on known tools, handovers, actions kept as text, and where no tools were named', () => {
    expect(findWith({ tools }, 'unknown-tool', calls('A', 'search', {}))).toBeUndefined();
    expect(findWith({ tools }, 'unknown-tool', calls('A', 'transfer_to_tester', {}))).toBeUndefined();
    expect(
      findWith({ tools }, 'unknown-tool', acts('A', 'delegate(search_agent, task="x")')),
    ).toBeUndefined();
    expect(find('unknown-tool', calls('A', 'delete_all', {}))).toBeUndefined();
  });
});

describe('exact-repetition and empty-output', () => {
  it('name the step that is repeated', () => {
    expect(
      find('exact-repetition', says('A', 'Again.'), says('B', '-'), says('A', 'again.'))?.reason,
    ).toContain('step 1');
    expect(
      find('exact-repetition', calls('A', 'go', { to: 'x' }), calls('A', 'go', { to: 'x' })),
    ).toBeDefined();
  });

  it('is silent on another agent and another argument', () => {
    expect(find('exact-repetition', says('A', 'Again.'), says('B', 'Again.'))).toBeUndefined();
    expect(
      find('exact-repetition', calls('A', 'go', { to: 'x' }), calls('A', 'go', { to: 'y' })),
    ).toBeUndefined();
  });

  it('an empty turn is empty, not a repetition', () => {
    expect(find('empty-output', says('A', ''), says('A', ' '))).toMatchObject({ step: 2 });
    expect(find('exact-repetition', says('A', ''), says('A', ' '))).toBeUndefined();
    expect(find('empty-output', calls('A', 'go', {}))).toBeUndefined();
    expect(find('empty-output', answers('go', ''))).toBeUndefined();
  });
});

describe('simulated-code', () => {
  it('fires on made-up ground under code, in text and in arguments', () => {
    expect(find('simulated-code', says('A', 'Assume these prices:\n```python\nprint(3)\n```'))).toBeDefined();
    expect(
      find('simulated-code', calls('A', 'python', 'import random\n# mock data\nrows = [1]')),
    ).toBeDefined();
  });

  it('is silent without code, and on code that assumes nothing', () => {
    expect(find('simulated-code', says('A', 'Assume that n is even.'))).toBeUndefined();
    expect(find('simulated-code', says('A', '```python\nprint(3)\n```'))).toBeUndefined();
  });
});

describe('unseen-number', () => {
  it('fires on a number from nowhere', () => {
    expect(
      find('unseen-number', answers('search', 'about 170'), says('A', 'They are 184 in all.'))?.reason,
    ).toContain('184');
  });

  it('is silent on seen numbers, however grouped, and on counts', () => {
    expect(find('unseen-number', answers('search', '1,840.50'), says('A', '1840.5 it is.'))).toBeUndefined();
    expect(find('unseen-number', says('A', 'Step 2 of 3.'))).toBeUndefined();
  });
});

describe('step-budget-nearly-used', () => {
  it('speaks from nine tenths on, if a budget is set', () => {
    const turns = Array.from({ length: 8 }, (_, at) => says('A', `Step ${at}.`));
    expect(findWith({ stepBudget: 10 }, 'step-budget-nearly-used', ...turns)?.reason).toBe(
      'Takes turn 9 of a budget of 10.',
    );
    expect(findWith({ stepBudget: 11 }, 'step-budget-nearly-used', ...turns)).toBeUndefined();
    expect(find('step-budget-nearly-used', ...turns)).toBeUndefined();
  });
});
