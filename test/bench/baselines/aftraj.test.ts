import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Baseline } from '../../../bench/baselines/baseline.js';
import { baselines } from '../../../bench/baselines/index.js';
import type { BenchRun } from '../../../bench/bench-run.js';
import { firstAlarm } from '../../../bench/prediction.js';
import type { Protocol } from '../../../bench/protocol.js';
import { readAfTraj } from '../../../collectors/importers/aftraj.js';
import { runPrefixes } from '../../../collectors/prefixes/run-prefixes.js';
import { isAgentTurn } from '../../../core/index.js';
import { dataFolder } from '../../collectors/support/data-folder.js';
import { alarmReply, type Behaviour, replies, SAFE } from '../../support/model-server/behaviours.js';
import type { SeenChat } from '../../support/model-server.js';
import { givesPromptLogprobs } from '../support/prompt-tokens.js';
import { answers, walking } from '../support/walked-baseline.js';

const folder = dataFolder('aftraj');

/** The first of a file whose label names the agent of its step. */
async function firstOf(file: string): Promise<BenchRun> {
  for await (const { label, ...run } of readAfTraj(path.join(folder ?? '', file))) {
    if (label?.kind === 'safe' || (label && run.turns[label.step]?.agent === label.agent))
      return { run: { ...run, label }, dataset: 'aftraj', group: run.task };
  }
  throw new Error(`${file} has no such run`);
}

/** A model that sees the error as soon as it is there, and thinks of nothing on the way. */
function oracle({ run }: BenchRun) {
  return (seen: SeenChat): Behaviour => {
    if ('prompt_logprobs' in seen.body) return givesPromptLogprobs(seen, () => -0.5);
    const asked = seen.body.messages.map(({ content }) => content).join('\n');
    if (/"thoughts": \[/.test(asked)) return answers({ thoughts: ['Look at the newest step.'] });
    if (/"best":/.test(asked)) return answers({ best: 1 });
    if (/"holds":/.test(asked)) return answers({ holds: true, why: 'It is so.' });
    if (/"error_detected":/.test(asked)) return answers({ error_detected: false });
    const { label } = run;
    const newest = Math.max(
      ...[...asked.matchAll(/^(?:\{"step":|\[step )(\d+)/gm)].map(([, step]) => Number(step)),
    );
    const isThere = label.kind === 'unsafe' && newest >= label.step;
    return replies({ text: isThere ? alarmReply(label.step, label.agent) : SAFE });
  };
}

const walk = (baseline: Baseline, bench: BenchRun, protocol: Protocol) =>
  walking(baseline, oracle(bench), { bench, protocol, paths: ['/v1/completions'] });

/** Calls of each audit, for a model that is satisfied with its first verdict. */
const CALLS: Readonly<Record<string, number>> = { 'zero-shot': 1, 'tree-of-thoughts': 13, reflexion: 2 };

describe.skipIf(folder === undefined)('over runs of AFTraj', async () => {
  if (folder === undefined) return;
  const unsafe = await firstOf('aftraj_unsafe.parquet');
  const safe = await firstOf('aftraj_safe.parquet');
  const { label } = unsafe.run;
  if (label.kind === 'safe') throw new Error('the run is safe');

  const online = baselines.filter(({ name }) => name in CALLS);

  it.each(online)('$name is asked at each prefix up to the error, and blames it', async (baseline) => {
    const { prediction, server } = await walk(baseline, unsafe, 'strict');
    expect(firstAlarm(prediction)).toMatchObject({
      raisedAt: label.step,
      step: label.step,
      agent: label.agent,
    });
    expect(prediction.audits).toHaveLength(label.step + 1);
    expect(server.requests).toHaveLength((label.step + 1) * (CALLS[baseline.name] ?? 0));
    expect(JSON.stringify(server.requests)).not.toContain(label.reason);
  });

  it.each(online)(
    '$name is asked about the whole of a safe run alone under the official protocol',
    async (baseline) => {
      const { prediction } = await walk(baseline, safe, 'official');
      expect(prediction.audits).toMatchObject([
        { step: safe.run.turns.length - 1, verdict: { kind: 'continue' } },
      ]);
      const strict = await walk(baseline, safe, 'strict');
      expect(strict.prediction.audits).toHaveLength(safe.run.turns.length);
    },
  );

  it('agent-debug examines all agent steps of a run, and blames the error or nothing', async () => {
    const [debug] = baselines.filter(({ name }) => name === 'agent-debug') as [Baseline];
    for (const bench of [unsafe, safe]) {
      const { prediction, purposes } = await walk(debug, bench, 'post-hoc');
      const steps = [...runPrefixes(bench.run)].map(({ newest }) => newest).filter(isAgentTurn).length;
      const examined = purposes.filter((purpose) => purpose === 'thought').length;
      expect(examined).toBeGreaterThanOrEqual(4 * steps - 2);
      expect(examined).toBeLessThanOrEqual(5 * steps - 2);
      expect(firstAlarm(prediction)?.step).toBe(bench === unsafe ? label.step : undefined);
    }
  });

  it('perplexity scores each agent turn that says something', async () => {
    const [uncertain] = baselines.filter(({ name }) => name === 'perplexity') as [Baseline];
    const { prediction, server } = await walk(uncertain, unsafe, 'strict');
    const spoken = [...runPrefixes(unsafe.run)].map(({ newest }) => isAgentTurn(newest));
    expect(prediction.audits.map(({ verdict }) => verdict?.score !== undefined)).toEqual(spoken);
    expect(server.requests).toHaveLength(1 + spoken.filter(Boolean).length);
    for (const { verdict } of prediction.audits) {
      if (verdict?.score !== undefined) expect(verdict.score).toBeCloseTo(1 - Math.exp(-0.5));
    }
  });
});
