import { expect, test, vi } from 'vitest';
import { printTable } from '../../../../bench/measured/overhead/table.js';

test('the first column stands to the left, the others to the right, each as wide as its widest cell', () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  printTable([
    ['host', 'bare'],
    ['a stream', '7'],
    ['run', '12345'],
  ]);
  const lines = log.mock.calls.map(([line]) => line);
  log.mockRestore();
  expect(lines).toEqual(['host       bare', 'a stream      7', 'run       12345', undefined]);
});
