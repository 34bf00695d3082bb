import { z } from 'zod';
import type { Judge } from './judge.js';

/** For the options of stages that ask one. */
export const judgeSchema = z.custom<Judge>(
  (value) => typeof (value as Judge | null)?.ask === 'function' && typeof (value as Judge).name === 'string',
  { error: 'expected a judge, such as chatJudge({ baseURL, model })' },
);
