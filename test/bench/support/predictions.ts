import type { Truth } from '../../../bench/bench-run.js';
import type { PredictedAudit, Prediction } from '../../../bench/prediction.js';
import type { RunLabel } from '../../../collectors/recorded-run.js';
import type { ModelCall } from '../../../core/index.js';

/** What an audit said: nothing, a failure, or whom it blames. */
export type Said = 'continue' | 'failure' | { readonly step: number; readonly agent?: string };

export function audit(step: number, said: Said, { ms = 1, calls = [] as readonly ModelCall[] } = {}) {
  return { step, ...resultOf(said), ms, calls } satisfies PredictedAudit;
}

function resultOf(said: Said): Pick<PredictedAudit, 'verdict' | 'failure'> {
  if (said === 'continue') return { verdict: { kind: 'continue' } };
  if (said === 'failure') return { failure: { kind: 'deadline', message: 'no verdict within 1 ms' } };
  return { verdict: { kind: 'alarm', step: said.step, agent: said.agent ?? 'Solver', reason: 'wrong' } };
}

/** @param said at steps 0, 1, 2 and so on */
export function prediction(truth: Partial<Truth>, ...said: readonly Said[]): Prediction {
  const { runId = 'run', dataset = 'corpus', group = runId, turns = said.length } = truth;
  const { label = { kind: 'safe' } } = truth;
  return {
    truth: { ...truth, runId, dataset, group, turns, label },
    audits: said.map((one, step) => audit(step, one)),
  };
}

export function unsafe(step: number, agent = 'Solver', source?: 'injected' | 'natural'): RunLabel {
  return { kind: 'unsafe', step, agent, source };
}

export function modelCall(counts: Partial<ModelCall> = {}): ModelCall {
  return { type: 'call', purpose: 'verdict', model: 'tiny', attempts: 1, durationMs: 1, ...counts };
}
