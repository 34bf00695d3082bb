import { setTimeout as delay } from 'node:timers/promises';
import { createRuntime } from 'agentforesight';
import { median } from '../overhead/measure.js';
import { AUDIT_MS, MODEL_MS, slowAuditor, type Workload } from './workload.js';

export interface Measured {
  readonly label: string;
  /** Milliseconds of the unaudited run, and how much longer the audited ones take. */
  readonly unaudited: number;
  readonly block: number;
  readonly overlap: number;
}

/** The three ways to run a host take turns, forwards and backwards; a ratio is of two runs of the same round. */
export async function measure(workload: Workload, rounds: number): Promise<Measured> {
  const ways = ['none', 'block', 'overlap'] as const;
  const taken = { none: [] as number[], block: [] as number[], overlap: [] as number[] };
  for (const gating of ways) await wallClock(workload, gating);
  for (let round = 0; round < rounds; round++) {
    for (const gating of round % 2 === 0 ? ways : ways.toReversed()) {
      taken[gating].push(await wallClock(workload, gating));
    }
  }
  const ratio = (times: readonly number[]) =>
    median(times.map((time, round) => time / (taken.none[round] ?? 0)));
  return {
    label: workload.label,
    unaudited: median(taken.none),
    block: ratio(taken.block),
    overlap: ratio(taken.overlap),
  };
}

async function wallClock({ prepare }: Workload, gating: 'none' | 'block' | 'overlap'): Promise<number> {
  const runtime = gating === 'none' ? undefined : createRuntime({ auditor: slowAuditor(), gating });
  const run = prepare([], runtime);
  const started = performance.now();
  if (await run()) throw new Error('halted without an alarm');
  return performance.now() - started;
}

/** The tools that run when the alarm comes at each turn in turn, until one comes too late. */
export async function toolsUnderAlarms(
  { prepare }: Workload,
  gating: 'block' | 'overlap',
): Promise<string[]> {
  const outcomes: string[] = [];
  for (let at = 0; ; at++) {
    const ran: string[] = [];
    const runtime = createRuntime({ auditor: slowAuditor(at, AUDIT_MS / 10), gating });
    const halted = await prepare(ran, runtime)();
    await delay(MODEL_MS); // what a halt failed to stop would show by now
    outcomes.push(`alarm ${at}: ${ran.join(', ')}`);
    if (!halted) return outcomes;
  }
}
