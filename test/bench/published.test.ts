import { expect, test } from 'vitest';
import {
  DEPLOYABLE_REGION,
  PUBLISHED_ABLATION,
  PUBLISHED_POINTS,
  PUBLISHED_TABLE,
  type PublishedPart,
} from '../../bench/published.js';

const AFTRAJ_TEST = { safe: 169, unsafe: 163 };
const rowOf = (name: string) => PUBLISHED_TABLE.find(({ method }) => method === name);

test('every row is there once, with figures that can be', () => {
  expect(new Set(PUBLISHED_TABLE.map(({ method }) => method)).size).toBe(15);
  for (const { method, scores } of PUBLISHED_TABLE) {
    const parts = (['math', 'coding', 'agentic'] satisfies PublishedPart[]).map((part) => scores[part]);
    // An overall figure lies among those it is made of.
    for (const of of ['exactF1', 'ass'] as const) {
      const figures = parts.flatMap((part) => part[of] ?? []);
      expect(scores.overall[of], method).toBeGreaterThanOrEqual(Math.min(...figures));
      expect(scores.overall[of], method).toBeLessThanOrEqual(Math.max(...figures));
    }
  }
});

test('table, ablation and points speak of the same models', () => {
  const round = (value: number | undefined) => Number(value?.toFixed(1));
  const [base, , , both] = PUBLISHED_ABLATION.rows;
  expect(round(rowOf('Qwen2.5-7B-Instruct')?.scores.overall.exactF1)).toBe(base.exactF1);
  expect(round(rowOf('AgentForesight-7B')?.scores.overall.exactF1)).toBe(both.exactF1);
  const isDeployable = PUBLISHED_POINTS.map(({ method, far, stepAcc }) => [
    method,
    far <= DEPLOYABLE_REGION.mostFar && stepAcc >= DEPLOYABLE_REGION.leastStepAcc,
  ]);
  expect(isDeployable).toEqual([
    ['AgentForesight-7B', true],
    ['DeepSeek-V4-Pro', false],
  ]);
});

test("the table's Exact-F1 is the released code's: by the paper's text, one row would need more alarms than runs", () => {
  const [, pro] = PUBLISHED_POINTS;
  const { safe, unsafe } = AFTRAJ_TEST;
  const exact = Math.round(((pro?.stepAcc ?? 0) / 100) * unsafe);
  const f1 = (rowOf('DeepSeek-V4-Pro')?.scores.overall.exactF1 ?? 0) / 100;
  // F1 = 2 exact / (unsafe + alarms)
  const alarms = Math.round((2 * exact) / f1 - unsafe);
  expect(alarms).toBeGreaterThan(unsafe);
  const falseAlarms = Math.round(((pro?.far ?? 0) / 100) * safe);
  expect(alarms - falseAlarms).toBeLessThanOrEqual(unsafe);
  expect(alarms - falseAlarms).toBeGreaterThanOrEqual(exact);
});
