import { describe, expect, test } from 'vitest';
import {
  cellText,
  htmlTableSection,
  jsonRows,
  markdownTable,
  type Table,
} from '../../../bench/tables/table.js';

const TABLE: Table = {
  title: 'Scores',
  notes: ['strict: every prefix'],
  columns: [
    { name: 'auditor' },
    { name: 'F1' },
    { name: 'ASS', digits: 2 },
    { name: 'difference', isSigned: true },
  ],
  rows: [
    ['signals', { value: 55.93, low: 47.2, high: 63 }, 0.4, -3.25],
    ['a|b <b>](http://x)', 12, null, 2],
  ],
};

describe('cellText', () => {
  test.each([
    [null, {}, '–'],
    ['word', {}, 'word'],
    [1.25, { digits: 2 }, '1.25'],
    [2, { isSigned: true }, '+2.0'],
    [-2, { isSigned: true }, '-2.0'],
    [{ value: 10, low: 5, high: 20 }, {}, '10.0 [5.0, 20.0]'],
  ] as const)('%o', (cell, column, text) => {
    expect(cellText(cell, column)).toBe(text);
  });
});

test('as Markdown: numbers to the right, and nothing of a name is markup', () => {
  expect(markdownTable(TABLE).split('\n')).toEqual([
    '## Scores',
    '',
    '| auditor | F1 | ASS | difference |',
    '| --- | ---: | ---: | ---: |',
    '| signals | 55.9 [47.2, 63.0] | 0.40 | -3.3 |',
    '| a\\|b \\<b\\>\\](http://x) | 12.0 | – | +2.0 |',
    '',
    '- strict: every prefix',
  ]);
});

test('as HTML, escaped', () => {
  const html = htmlTableSection(TABLE);
  expect(html).toContain('<td>a|b &lt;b&gt;](http://x)</td>');
  expect(html).toContain('<td class="number">55.9 [47.2, 63.0]</td>');
  expect(html).toContain('strict: every prefix');
});

test('as JSON: the numbers themselves, by column', () => {
  expect(jsonRows(TABLE)[0]).toEqual({
    auditor: 'signals',
    F1: { value: 55.93, low: 47.2, high: 63 },
    ASS: 0.4,
    difference: -3.25,
  });
});
