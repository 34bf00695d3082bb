import { z } from 'zod';
import { KNOWN_POINTS } from './known-points.js';
import { operatingPointSchema } from './operating-point.js';
import { teamModelSchema } from './team-model.js';

const share = z.number().min(0).max(1);

/** `{ "team": { "failureRate": 0.4 }, "auditors": [ … ] }`; every field has a default. */
export const studyConfigSchema = z.strictObject({
  team: teamModelSchema.prefault({}),
  /** Tries of halt-and-rerun. */
  tries: z.int().min(1).max(7).default(3),
  /** How often recovery goes back before it halts. */
  recoveries: z.int().min(1).max(20).default(2),
  auditors: z.array(operatingPointSchema).default([...KNOWN_POINTS]),
  /** Delays and attribution of the auditors that the plane is made of; their recall and false-alarm rate are its axes. */
  plane: z
    .strictObject({
      recalls: z.array(share).min(2).default([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]),
      falseAlarmRates: z.array(share).min(2).default([0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2]),
      delays: operatingPointSchema.shape.delays.default([0.8, 0.2]),
      attribution: share.default(0.8),
    })
    .prefault({}),
  /** Simulated for each figure. */
  tasks: z.int().min(100).max(100_000).default(4_000),
  /** Simulated once more for each auditor, through the real runtime. */
  checkedTasks: z.int().min(0).max(10_000).default(50),
  seed: z.int().default(1),
});

export type StudyConfig = Readonly<z.infer<typeof studyConfigSchema>>;
