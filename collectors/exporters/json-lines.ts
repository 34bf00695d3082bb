import { open } from 'node:fs/promises';
import { writeWhole } from './write-whole.js';

/** Characters of lines that are collected before they are written. */
const BLOCK = 2 ** 20;

/** One line for each value. @returns how many */
export function writeJsonLines(path: string, values: AsyncIterable<object>): Promise<number> {
  return writeWhole(path, async (partial) => {
    const file = await open(partial, 'w');
    try {
      let count = 0;
      let block = '';
      for await (const value of values) {
        block += `${JSON.stringify(value)}\n`;
        count++;
        if (block.length < BLOCK) continue;
        await file.write(block);
        block = '';
      }
      await file.write(block);
      return count;
    } finally {
      await file.close();
    }
  });
}
