import { describe, expect, it } from 'vitest';
import { alarmScore, answerOdds } from '../../../../core/auditors/chat/answer-odds.js';
import type { ReplyToken } from '../../../../core/chat-client/read-completion.js';
import { type Alternatives, replyTokens } from '../../../support/model-server/reply-tokens.js';

const UNTIL = '<answer>{"answer":';

const score = (parts: readonly (string | readonly [string, Alternatives])[], until = UNTIL) => {
  const odds = answerOdds(replyTokens(parts) as unknown as ReplyToken[], until);
  return odds && alarmScore(odds);
};

describe('tokenizers that have space and quote in one token, and no space before a digit (all of today)', () => {
  const odds = { ' "': 0.7, ' ': 0.2, '"': 0.05, '0': 0.05 };

  it('SAFE: the space alone is the way to a step', () => {
    expect(score(['<answer>', '{"', 'answer', '":', [' "', odds], 'SAFE', '",'])).toBeCloseTo(0.25);
  });

  it('an alarm: the same odds, seen from the other side', () => {
    const digit = { '3': 0.9, '2': 0.1 };
    expect(score(['<answer>', '{"', 'answer', '":', [' ', odds], ['3', digit], ','])).toBeCloseTo(0.25);
  });

  it('a quote after the space is weighed too', () => {
    const second = { '3': 0.5, '"': 0.5 };
    expect(score(['<answer>{"answer":', [' ', odds], ['3', second]])).toBeCloseTo((0.2 * 0.5 + 0.05) / 1);
  });
});

describe('other tokenizers', () => {
  it('a space by itself before both: the next token decides', () => {
    const value = { '"': 0.6, '3': 0.3, '1': 0.1 };
    expect(score(['<answer>{"', 'answer', '":', [' ', { ' ': 0.95, '  ': 0.05 }], ['3', value]])).toBeCloseTo(
      0.4,
    );
  });

  it('the colon, the space and the quote in one token', () => {
    const value = { '": "': 0.5, '": 3': 0.25, '": 12': 0.25 };
    expect(score(['<answer>{"', 'answer', ['": "', value], 'SAFE'])).toBeCloseTo(0.5);
  });

  it('everything in one token', () => {
    const value = { '{"answer": "SAFE"': 0.9, '{"answer": 3': 0.1, Well: 0.2 };
    expect(score(['<answer>', ['{"answer": "SAFE"', value], '}'])).toBeCloseTo(0.1);
  });

  it('no white space at all', () => {
    expect(score(['<answer>{"answer":', ['3', { '3': 0.8, '"': 0.1, '"S': 0.1 }]])).toBeCloseTo(0.8);
  });

  it('line ends before the value', () => {
    const value = { '"': 0.2, '3': 0.8 };
    expect(score(['<answer>{"answer":', ['\n', { '\n': 1 }], ['\t', { '\t': 1 }], ['3', value]])).toBeCloseTo(
      0.8,
    );
  });
});

it('counts the chosen token where it is not among the alternatives', () => {
  expect(score(['<answer>{"answer":', ['3', { '"': 0.5 }]])).toBeCloseTo(0.01 / 0.51);
});

it('what is neither SAFE nor a step is undecided, and a score needs half of the mass', () => {
  expect(score(['<answer>{"answer":', ['3', { '3': 0.3, '"S': 0.3, null: 0.2, '"no': 0.2 }]])).toBeCloseTo(
    0.5,
  );
  expect(score(['<answer>{"answer":', ['3', { '3': 0.2, '"S': 0.2, null: 0.6 }]])).toBeUndefined();
});

it('the final answer counts, not one that is quoted in the thought', () => {
  const quoted = ['<answer>{"answer":', [' "', { ' "': 1 }], 'SAFE'] as const;
  expect(
    score(['<think>', ...quoted, '</think>', '<answer>{"answer":', ['3', { '3': 0.9, '"': 0.1 }]]),
  ).toBeCloseTo(0.9);
});

it('tokens may be parts of a character', () => {
  const [first, ...rest] = Buffer.from('é').values();
  const part = (bytes: number[]) => ({ token: '\ufffd', logprob: 0, bytes, top_logprobs: [] });
  const tokens = [
    ...replyTokens(['<answer>{"reason": "']),
    part([first as number]),
    part(rest),
    ...replyTokens(['", "agent": "a", "answer":', ['3', { '3': 0.9, '"': 0.1 }], '}']),
  ] as unknown as ReplyToken[];
  const odds = answerOdds(tokens, '<answer>{"reason": "é", "agent": "a", "answer":');
  expect(odds && alarmScore(odds)).toBeCloseTo(0.9);
});

it.each<[string, unknown[]]>([
  ['tokens of another text', replyTokens(['hello'])],
  ['tokens that end with the colon', replyTokens(['<answer>{"answer":'])],
  ['no tokens', []],
  [
    'a log-probability that is none',
    [...replyTokens(['<answer>{"answer":']), { token: '3', logprob: 'high' }],
  ],
])('no odds from %s', (_, tokens) => {
  expect(answerOdds(tokens as ReplyToken[], UNTIL)).toBeUndefined();
});

it('a begun reply has its value at the first token', () => {
  expect(score([[' "', { ' "': 0.8, ' ': 0.1, '3': 0.1 }]], '')).toBeCloseTo(0.2);
  expect(score([[' ', { ' "': 0.3, ' ': 0.7 }]], '')).toBeCloseTo(0.7);
  expect(score([[' ', { ' ': 1 }]], '')).toBeUndefined();
});
