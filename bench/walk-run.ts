import { runPrefixes } from '../collectors/prefixes/run-prefixes.js';
import {
  type AuditNote,
  type Auditor,
  type AuditRequest,
  type AuditResult,
  askAuditor,
  type ModelCall,
  type Schedule,
} from '../core/index.js';
import { type BenchRun, truthOf } from './bench-run.js';
import type { PredictedAudit, Prediction } from './prediction.js';
import { isAsked, type Protocol } from './protocol.js';

export interface WalkRunOptions {
  readonly protocol: Protocol;
  /** Which of the protocol's prefixes to ask about. Default: all. */
  readonly schedule?: Schedule | undefined;
  /** Ask on after an alarm, for scores at every step. Default: the first alarm ends the walk, as it ends a run. */
  readonly toEnd?: boolean | undefined;
  /** Longest wait for one verdict. Default: 600,000. */
  readonly deadlineMs?: number | undefined;
  /** Told of each audit as soon as it is there. */
  readonly onAudit?: ((audit: PredictedAudit) => void) | undefined;
  readonly signal: AbortSignal;
}

/**
 * Walks one recorded run prefix by prefix, as if it ran now. The auditor never sees the label, the reference answer, or a
 * later turn; texts are not redacted, so that all auditors read what was published.
 * @throws the signal's reason; a failed audit is part of the prediction
 */
export async function walkRun(
  bench: BenchRun,
  auditor: Auditor,
  options: WalkRunOptions,
): Promise<Prediction> {
  const { protocol, schedule, toEnd = false, deadlineMs = 600_000, onAudit, signal } = options;
  const { runId, task, tools } = bench.run;
  const truth = truthOf(bench);
  const audits: PredictedAudit[] = [];
  let step = -1;
  for (const prefix of runPrefixes(bench.run)) {
    step++;
    if (!isAsked(protocol, truth, step)) continue;
    if (schedule && step < truth.turns - 1 && !schedule.due(prefix)) continue;
    // An auditor that sees no signal would be asked in vain.
    signal.throwIfAborted();
    const isLast = step === truth.turns - 1;
    const said = await auditOf(auditor, { runId, task, tools, prefix }, { isLast, deadlineMs, signal });
    signal.throwIfAborted();
    const audit = { step, ...said };
    audits.push(audit);
    onAudit?.(audit);
    if (audit.verdict?.kind === 'alarm' && !toEnd) break;
  }
  return { truth, audits };
}

async function auditOf(
  auditor: Auditor,
  request: AuditRequest,
  { isLast, deadlineMs, signal }: { isLast: boolean; deadlineMs: number; signal: AbortSignal },
): Promise<Omit<PredictedAudit, 'step'>> {
  const notes: (AuditNote | Promise<AuditNote>)[] = [];
  const began = performance.now();
  const result: AuditResult = await askAuditor(auditor, request, deadlineMs, {
    signal,
    note: (note) => notes.push(note),
    // Whoever asks only some of several auditors asks them all at the end, as a session would.
    ...(isLast && { isLast }),
  });
  const ms = performance.now() - began;
  const calls = (await Promise.all(notes)).filter((note): note is ModelCall => note.type === 'call');
  return { ...result, ms, calls };
}
