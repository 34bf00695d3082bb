import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { appendOnlyLayout } from '../../../../core/auditors/prompt/append-only-layout.js';
import type { Prompt, PromptLayout } from '../../../../core/auditors/prompt/prompt-layout.js';
import { publishedLayout } from '../../../../core/auditors/prompt/published-layout.js';
import { type Run, requestsOf } from '../../../support/hostile-runs.js';

/**
 * Prompts byte by byte: models are trained on them, and a changed byte empties every server's cache. To change them on purpose:
 *
 *     UPDATE_GOLDEN=1 npx vitest run test/core/auditors/prompt/golden-prompts.test.ts
 *
 * writes `expected` of every line anew, also of a line added without it.
 */
const FILE = path.join(import.meta.dirname, '../../../fixtures/golden/prompts.jsonl');

interface Golden {
  readonly name: string;
  readonly layout: PromptLayout['name'];
  readonly options: { readonly contextTokens?: number; readonly turnTokens?: number };
  readonly request: Run;
  readonly expected?: Pick<Prompt, 'system' | 'body' | 'tail'>;
}

const kept = readFileSync(FILE, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Golden);

function written({ layout, options, request }: Golden): Golden['expected'] {
  const made = layout === 'append-only' ? appendOnlyLayout(options) : publishedLayout();
  const { system, body, tail } = made.prompt(requestsOf(request).at(-1) as never);
  return { system, body, tail };
}

function rewritten(): readonly Golden[] {
  const anew = kept.map((golden) => ({ ...golden, expected: written(golden) }) as Golden);
  writeFileSync(FILE, anew.map((golden) => `${JSON.stringify(golden)}\n`).join(''));
  return anew;
}

const goldens = process.env['UPDATE_GOLDEN'] ? rewritten() : kept;

it.each(goldens)('$layout: $name', (golden) => {
  const expected = golden.expected ?? expect.unreachable('no expected prompt: see the head of this file');
  expect(written(golden)).toEqual(expected);
});

it('covers what prompts can hold', () => {
  const bodies = goldens.map(({ expected }) => expected?.body ?? '').join('');
  for (const shown of [
    '\\u007c',
    '"calls"',
    '"to"',
    '"task":true',
    '"leftOut"',
    '"digest"',
    '"steps"',
    '"tool"',
    '"error":true',
    '… (cut)',
    '漢字',
    '"toolsShown"',
  ]) {
    expect(bodies).toContain(shown);
  }
});
