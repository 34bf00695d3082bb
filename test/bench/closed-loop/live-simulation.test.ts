import { describe, expect, test } from 'vitest';
import { diceOf } from '../../../bench/closed-loop/dice.js';
import { fastSimulation } from '../../../bench/closed-loop/fast-simulation.js';
import { liveSimulation } from '../../../bench/closed-loop/live-simulation.js';
import type { OperatingPoint } from '../../../bench/closed-loop/operating-point.js';
import type { AuditingPolicy, Policy } from '../../../bench/closed-loop/policy.js';
import { teamModelSchema, teamOf } from '../../../bench/closed-loop/team-model.js';

const POLICIES: readonly Policy[] = [
  { kind: 'none', tries: 3 },
  { kind: 'halt' },
  { kind: 'rerun', tries: 3 },
  { kind: 'recover', recoveries: 2 },
];

const POINTS: readonly OperatingPoint[] = [
  { name: 'perfect', recall: 1, falseAlarmRate: 0, delays: [1], attribution: 1 },
  { name: 'late and careless', recall: 0.8, falseAlarmRate: 0.03, delays: [0.5, 0.2, 0.3], attribution: 0.6 },
  { name: 'blind and loud', recall: 0.1, falseAlarmRate: 0.2, delays: [1], attribution: 0.2 },
];

const rounded = (value: unknown) =>
  JSON.parse(JSON.stringify(value, (_, part) => (typeof part === 'number' ? Number(part.toFixed(6)) : part)));

describe('the same dice with and without the runtime', () => {
  test.each(POINTS)('$name: every task ends alike, at the same cost, under every policy', async (point) => {
    const team = teamOf(teamModelSchema.parse({ steps: 12, repairRate: 0.1, misledRate: 0.4 }));
    const dice = diceOf(7);
    const live = await liveSimulation(team, dice, point, POLICIES, 60);
    const fast = fastSimulation(team, dice, 60, 3);
    expect(live.groups.length).toBe(60);
    expect(rounded(live.tries)).toMatchObject(rounded(fast.tries));
    for (const { policy, tasks } of live.policies) {
      expect(rounded(tasks), policy.kind).toEqual(rounded(fast.under(policy as AuditingPolicy, point)));
    }
    const recovered = live.policies.find(({ policy }) => policy.kind === 'recover');
    expect(recovered?.tasks.some(({ recoveries }) => recoveries > 0)).toBe(true);
  });

  test('a budget ends the reruns of a task in both', async () => {
    const team = teamOf(teamModelSchema.parse({}));
    const dice = diceOf(1);
    const policy = { kind: 'rerun', tries: 9, budget: 25 } as const;
    const point = { name: 'loud', recall: 0.5, falseAlarmRate: 0.3, delays: [1], attribution: 1 };
    const live = await liveSimulation(team, dice, point, [{ kind: 'none', tries: 1 }, policy], 40);
    const tasks = fastSimulation(team, dice, 40, 9).under(policy, point);
    expect(live.policies[0]?.tasks.map(({ halts, solved }) => [halts, solved])).toEqual(
      tasks.map(({ halts, solved }) => [halts, solved]),
    );
    expect(tasks.some(({ halts, answered }) => !answered && halts < 9)).toBe(true);
  });
});
