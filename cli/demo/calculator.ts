import { tool } from '@langchain/core/tools';
import { z } from 'zod';

const operations = {
  add: (a: number, b: number) => a + b,
  subtract: (a: number, b: number) => a - b,
  multiply: (a: number, b: number) => a * b,
  divide: (a: number, b: number) => a / b,
};

/** A calculator that really calculates. @param onUse told of each use, so that the demo can show what never ran */
export function calculator(onUse: () => void) {
  return tool(
    async ({ operation, a, b }) => {
      onUse();
      return String(operations[operation](a, b));
    },
    {
      name: 'calculator',
      description: 'Applies one operation to two numbers',
      schema: z.object({
        operation: z.enum(['add', 'subtract', 'multiply', 'divide']),
        a: z.number(),
        b: z.number(),
      }),
    },
  );
}
