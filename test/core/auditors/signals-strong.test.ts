import { describe, expect, it } from 'vitest';
import { type CheckName, inspect } from '../../../core/auditors/signals-auditor.js';
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

const find = (check: CheckName, ...turns: readonly Spoken[]) =>
  inspect(prefixOf(user('The task.'), ...turns)).find((note) => note.check === check);

const PASSED = 'ALL_TESTS_PASSED. The solution is correct.';

describe('contradicts-pass', () => {
  const live = answers('run_tests', PASSED);
  const imported = environment(['run_tests', PASSED]);

  it.each([
    ['in capitals', live, 'TESTS_FAILED: repeated values are mishandled.'],
    ['imported', imported, 'FINAL: TESTS_FAILED'],
    ['as a sentence', live, 'The implementation fails on an empty list.'],
    [
      'as a suspicion',
      imported,
      'The implementation appears to have several issues despite passing the basic cases.',
    ],
    ['after a terminal', terminal('exitcode: 0 (execution succeeded)\nCode output: 3'), 'The script failed.'],
  ])('fires on a failure claimed after a pass: %s', (_, result, claim) => {
    expect(find('contradicts-pass', result, says('Tester', claim))).toMatchObject({
      step: 2,
      agent: 'Tester',
    });
  });

  it('fires through turns that judge nothing', () => {
    const note = find(
      'contradicts-pass',
      live,
      says('A', PASSED),
      answers('handover', 'ok'),
      says('B', 'TESTS_FAILED'),
    );
    expect(note).toMatchObject({ step: 4, agent: 'B' });
    expect(note?.reason).toContain(PASSED);
  });

  it.each([
    ['the tests did fail', answers('run_tests', 'TESTS_FAILED.\nAssertionError'), 'TESTS_FAILED'],
    [
      'a newer result failed',
      environment(['run_tests', PASSED], ['run_tests', 'TESTS_FAILED']),
      'TESTS_FAILED',
    ],
    ['nothing was judged', answers('search', 'Guava'), 'The test failed.'],
    ['nothing failed', live, 'No tests failed.'],
    ['a condition', live, 'If a test fails, tell me.'],
    ['a denial', live, 'The code does not fail on an empty list.'],
    ['a failure overcome', live, 'The first test failed, I changed the bound, and all tests now pass.'],
    ['a word that contains it', live, 'The code is fail-safe and unfailing.'],
    ['a tool said so, not an agent', live, ''],
  ])('is silent where %s', (_, result, claim) => {
    expect(find('contradicts-pass', result, says('Tester', claim))).toBeUndefined();
  });
});

describe('broken-after-pass', () => {
  const liveRun = (id: string, code: string, result: string): Spoken[] => [
    calls('Writer', 'run_tests', { solution_code: code, test_code: 'check(f)' }, id),
    answers('run_tests', result, { toolCallId: id }),
  ];
  const importedRun = (id: string, code: string, result: string): Spoken[] => [
    calls('Tester', 'run_tests', { solution_code: code }, id),
    environment(['run_tests', result, id]),
  ];
  const fenced = (code: string, result: string): Spoken[] => [
    says('Coder', `Run this:\n\`\`\`python\n${code}\n\`\`\``),
    terminal(result),
  ];

  it('blames the turn that changed the code, live', () => {
    const note = find(
      'broken-after-pass',
      ...liveRun('1', 'return a + b', PASSED),
      ...liveRun('2', 'return a - b', 'TESTS_FAILED'),
    );
    expect(note).toMatchObject({ step: 3, agent: 'Writer' });
    expect(note?.reason).toContain('step 2');
  });

  it('blames it in an imported log, and where the code stands in the text', () => {
    expect(
      find(
        'broken-after-pass',
        ...importedRun('1', 'a', PASSED),
        says('Writer', PASSED),
        ...importedRun('2', 'b', 'TESTS_FAILED.'),
      ),
    ).toMatchObject({ step: 4, agent: 'Tester' });
    expect(
      find('broken-after-pass', ...fenced('print(1)', 'exitcode: 0'), ...fenced('print(', 'exitcode: 1')),
    ).toMatchObject({
      step: 3,
      agent: 'Coder',
    });
  });

  it.each([
    ['nothing had passed', [...liveRun('1', 'a', 'TESTS_FAILED'), ...liveRun('2', 'b', 'TESTS_FAILED')]],
    [
      'only white space changed',
      [...liveRun('1', 'return  a', PASSED), ...liveRun('2', 'return a\n', 'TESTS_FAILED')],
    ],
    ['it still passes', [...liveRun('1', 'a', PASSED), ...liveRun('2', 'b', PASSED)]],
    [
      'another tool fails',
      [
        ...liveRun('1', 'a', PASSED),
        calls('W', 'lint', { code: 'b' }, '2'),
        answers('lint', 'exit code: 1', { toolCallId: '2' }),
      ],
    ],
  ])('is silent where %s', (_, turns) => {
    expect(find('broken-after-pass', ...turns)).toBeUndefined();
  });
});

describe('unproduced-expectation', () => {
  const verify = (expected: string) => calls('Verifier', 'verify_answer', { expected, computed: '8' });

  it('fires when nobody worked the expected value out', () => {
    const note = find('unproduced-expectation', answers('compute', '8'), verify('27'));
    expect(note).toMatchObject({ step: 2, agent: 'Verifier' });
    expect(note?.reason).toContain('"27"');
  });

  it.each([
    ['a tool, live', answers('compute', '27.0')],
    ['a tool, imported', environment(['compute', '[26, 27]'])],
    ['an agent', says('Solver', 'So it is 27.')],
    ['a thought', says('Solver', '', { thought: 'So it is 27.' })],
    ['an earlier call', calls('Solver', 'compute', { expression: '27 * 1' })],
    ['the task', user('Is it 27?')],
  ])('is silent when the value comes from %s', (_, turn) => {
    expect(find('unproduced-expectation', turn, verify('27'))).toBeUndefined();
  });

  it('is silent on other calls, on a computed value, and on a value without numbers', () => {
    expect(find('unproduced-expectation', calls('A', 'order', { expected: '27' }))).toBeUndefined();
    expect(find('unproduced-expectation', calls('A', 'verify_answer', { computed: '27' }))).toBeUndefined();
    expect(find('unproduced-expectation', verify('(x, \\infty)'))).toBeUndefined();
    expect(find('unproduced-expectation', acts('A', 'verify that expected is 27'))).toBeUndefined();
  });

  it('does not take part of a longer number for the value', () => {
    expect(find('unproduced-expectation', answers('compute', '1270 and x27'), verify('27'))).toBeDefined();
  });
});

describe('misquotes-result', () => {
  it.each([
    [
      'a lost zero, live',
      answers('compute', '2000'),
      'Dividing 40 by 0.02 gives 200, so it is 200 calories.',
    ],
    ['a lost zero, imported', environment(['compute', '2000']), 'So it is 200 calories.'],
    ['another numerator', answers('compute', '17/50'), 'It is 34/100, which simplifies to 13/50.'],
    ['a fraction in LaTeX', answers('compute', '14/3'), 'Therefore it is \\(\\frac{13}{3}\\).'],
    ['one of many', environment(['compute', '3'], ['compute', '4']), 'The sum is 9.'],
    ['a wrong rounding', answers('compute', '0.05357'), 'About 0.055.'],
  ])('fires on %s', (_, result, words) => {
    expect(find('misquotes-result', result, says('Solver', words))).toMatchObject({
      step: 2,
      agent: 'Solver',
    });
  });

  it.each([
    ['the number itself', answers('compute', '1440'), 'In all 1,440.0 ways.'],
    ['a rounding', answers('compute', '0.0535714'), 'About 0.054.'],
    ['a percentage', answers('compute', '0.3704'), 'That is 37.04%.'],
    ['the decimal form of a fraction', answers('compute', '5/4'), 'That is 1.25.'],
    ['the fraction of a decimal', answers('compute', '1.25'), 'That is \\frac{5}{4}.'],
    ['an echo', answers('compute', '[3, 6]'), '[3, 6]'],
    ['a result without numbers', answers('search', 'Guava'), 'The answer is 42.'],
    ['words without numbers', answers('compute', '2000'), 'That settles it.'],
    ['digits in a name', answers('compute', '2000'), 'Hence 2000, by the rule of utf8 and p3.'],
    [
      'a page, from which one concludes',
      answers('search', `Population 6.04 million, area 735 km2. ${'x '.repeat(800)}`),
      'About 8,200.',
    ],
  ])('is silent on %s', (_, result, words) => {
    expect(find('misquotes-result', result, says('Solver', words))).toBeUndefined();
  });

  it('speaks at a conclusion, and not at the same words beside a handoff', () => {
    const handoff = { toolCalls: [{ id: '1', name: 'transfer_to_writer', args: {} }] };
    const [result, words] = [answers('compute', '2000'), 'So it is 200 calories.'];
    expect(find('misquotes-result', result, says('S', words))).toBeDefined();
    expect(find('misquotes-result', result, says('S', words, handoff))).toBeUndefined();
  });

  it('is silent where the agent goes on to call a tool, and where no tool spoke right before', () => {
    const next = { toolCalls: [{ id: '', name: 'compute', args: { expression: '15 * 3' } }] };
    expect(find('misquotes-result', answers('compute', '3'), says('S', 'Next, 15 %.', next))).toBeUndefined();
    expect(
      find('misquotes-result', answers('compute', '3'), says('S', '3'), says('S', 'So 4.')),
    ).toBeUndefined();
  });
});

describe('skips-verification', () => {
  it.each([
    "I'm confident it's correct -- no need for additional verification.",
    'I’m confident independent verification by CodeTester isn’t necessary here.',
    "I'll finalize without handing off to CodeTester.",
    'The change is small, so I am skipping the independent review.',
    'Handing this off to CodeTester would be redundant.',
    'There is no need to run the tests again.',
  ])('fires on: %s', (words) => {
    expect(find('skips-verification', says('Writer', words))).toMatchObject({ step: 1, agent: 'Writer' });
    expect(find('skips-verification', says('Writer', 'Done.', { thought: words }))).toBeDefined();
  });

  it.each([
    ['the opposite', 'We must not skip verification.'],
    ['the opposite, contracted', "Don't skip the tests."],
    ['rows, not tests', 'We will skip the first two rows and use the third row as the header.'],
    ['skipping while testing', 'I skip the header when testing the parser.'],
    ['a test that shows it', 'Testing shows that the extra loop is unnecessary.'],
    ['a sentence end between', 'No need for sorting. The tests pass.'],
    ['changing the tests', 'There is no need to change the tests.'],
    ['errors, not tests', 'The script ran without any errors.'],
    ['verification that is needed', 'Verification is needed before we go on.'],
  ])('is silent on %s', (_, words) => {
    expect(find('skips-verification', says('Writer', words))).toBeUndefined();
  });

  it('is silent when a tool says so', () => {
    expect(find('skips-verification', answers('search', 'No need for verification.'))).toBeUndefined();
  });
});
