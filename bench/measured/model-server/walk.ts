import type { RecordedRun } from '../../../collectors/recorded-run.js';
import {
  type Auditor,
  type CutNote,
  createRuntime,
  type FailureRecord,
  type ModelCall,
  type Prefix,
  parseVerdict,
  type Recorder,
  type VerdictFault,
  type VerdictRecord,
} from '../../../core/index.js';
import type { Reply, ReplyTap } from './reply-tap.js';

/** A model on this machine's processor reads some hundred tokens a second. Nothing here measures deadlines. */
const DEADLINE_MS = 180_000;

/** One request to the model, and what came back if something did. */
export interface Exchange {
  readonly call: ModelCall;
  readonly reply?: Reply | undefined;
  /** Why the reply is no verdict. A probe's one token is none to begin with, and has no fault. */
  readonly fault?: VerdictFault | 'cut-off' | undefined;
}

export interface AuditedStep {
  readonly layout: string;
  readonly runId: string;
  readonly step: number;
  readonly result: Pick<VerdictRecord, 'verdict'> | Pick<FailureRecord, 'failure'>;
  readonly exchanges: readonly Exchange[];
  readonly cut?: CutNote | undefined;
}

export interface Walk {
  readonly auditor: Auditor;
  readonly layout: string;
  /** Stands between the auditor and its server. */
  readonly tap: ReplyTap;
  readonly stop: AbortSignal;
  readonly onAudit: (audit: AuditedStep) => void;
}

/**
 * Walks a recorded run turn by turn through a real session that never halts, each prefix that is due judged before the next
 * turn is shown, until the first alarm (which is final) or the run's end. An audit that `stop` cuts short is not told.
 */
export async function walk(run: RecordedRun, { auditor, layout, tap, stop, onAudit }: Walk): Promise<void> {
  const prefixes = new Map<string, Prefix>();
  const recorder: Recorder = {
    async append(record) {
      if ((record.type !== 'verdict' && record.type !== 'failure') || stop.aborted) return;
      const { step, notes = [] } = record;
      const prefix = prefixes.get(record.turnId);
      const calls = notes.filter((note) => note.type === 'call');
      const cut = notes.find((note) => note.type === 'cut');
      onAudit({
        layout,
        runId: run.runId,
        step,
        result: record.type === 'verdict' ? { verdict: record.verdict } : { failure: record.failure },
        exchanges: exchanges(calls, tap.take(), prefix),
        cut,
      });
    },
  };
  const asked: Auditor = {
    ...auditor,
    audit(request, options) {
      prefixes.set(request.prefix.newest.id, request.prefix);
      return auditor.audit(request, { ...options, signal: AbortSignal.any([options.signal, stop]) });
    },
  };
  const runtime = createRuntime({
    auditor: asked,
    recorder,
    onAlarm: 'observe',
    deadlineMs: DEADLINE_MS,
    // Failed audits are counted here; nothing else is expected to go wrong.
    diagnostics: {
      report: ({ code, message }) => {
        if (!code.startsWith('audit-failure-')) process.stderr.write(`${code}: ${message}\n`);
      },
    },
  });
  const { runId, task, tools } = run;
  const session = runtime.openSession({ runId, task, tools, given: [] });
  for (const turn of run.turns) {
    if (stop.aborted) break;
    await session.submit({ ...turn, path: [] });
  }
  await session.close({ status: stop.aborted ? 'aborted' : 'completed' });
}

/** Calls come one after the other, so the answered ones and the replies are in the same order. */
function exchanges(
  calls: readonly ModelCall[],
  replies: readonly Reply[],
  prefix: Prefix | undefined,
): Exchange[] {
  const left = [...replies];
  return calls.map((call) => {
    const reply = call.failed === undefined ? left.shift() : undefined;
    const isVerdict = reply && prefix && call.purpose !== 'probe';
    return { call, reply, fault: isVerdict ? faultOf(reply, prefix) : undefined };
  });
}

function faultOf({ text, finishReason }: Reply, prefix: Prefix): Exchange['fault'] {
  if (finishReason === 'length') return 'cut-off';
  const parsed = parseVerdict(text, prefix);
  return 'invalid' in parsed ? parsed.invalid : undefined;
}
