import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Auditor } from './auditor.js';
import { auditorName } from './auditor.js';
import { signalsAuditor } from './auditors/signals-auditor.js';
import { type Budget, budgetSchema } from './budget.js';
import { type Calibration, calibrationSchema, isFor } from './calibration.js';
import { type Consent, consentTo } from './consent.js';
import { consoleDiagnostics, type Diagnostics, guardDiagnostics, messageOf } from './diagnostics.js';
import { SetupError } from './errors.js';
import type { Feedback } from './feedback.js';
import { feedbackRecord } from './feedback-record.js';
import type { Gating, OnAlarm, OnAuditFailure } from './gate.js';
import { scheduleOf } from './portable-schedule.js';
import { type FlushReport, RecordKeeper } from './record-keeper.js';
import type { Recorder } from './recorder.js';
import { type Redactor, secretRedactor } from './redact.js';
import { type RunInfo, runInfoSchema } from './run-info.js';
import { sampled } from './sampling.js';
import type { Schedule } from './schedule.js';
import { AuditSession } from './session.js';

const optionsSchema = z.strictObject({
  auditor: roleSchema<Auditor>('audit')
    .refine(({ name }) => name === undefined || typeof name === 'string', {
      path: ['name'],
      error: 'expected a string',
      abort: true,
    })
    .optional(),
  recorder: roleSchema<Recorder>('append').optional(),
  onAlarm: z.enum(['halt', 'pause', 'recover', 'observe']).default('halt'),
  maxRecoveries: z.int().min(1).max(100).default(2),
  onAuditFailure: z.enum(['proceed', 'halt']).default('proceed'),
  gating: z.enum(['block', 'overlap']).default('block'),
  budget: budgetSchema.optional(),
  calibration: calibrationSchema.optional(),
  deadlineMs: z
    .number()
    .positive()
    .max(2 ** 31 - 1)
    .default(10_000),
  schedule: roleSchema<Schedule>('due').optional(),
  redactor: roleSchema<Redactor>('redact').optional(),
  sampleRate: z.number().min(0).max(1).default(1),
  consent: z
    .custom<Consent>((value) => typeof value === 'boolean' || typeof value === 'function', {
      error: 'expected true, false, or a function of the run',
    })
    .optional(),
  diagnostics: roleSchema<Diagnostics>('report').optional(),
});

/** Every field has a default; `createRuntime()` alone audits with {@link signalsAuditor}, halts on an alarm and records nothing. */
export interface RuntimeOptions {
  /** Who judges. Default: {@link signalsAuditor}. */
  readonly auditor?: Auditor;
  /** Where the run log goes. Default: nowhere. */
  readonly recorder?: Recorder;
  /**
   * Default `halt`. `pause` waits for a human, who overrides the alarm by resuming; `recover` goes back to before the
   * blamed step, with the auditor's reason as a hint. Where the host can do neither, the run is halted. `observe`
   * records what would have been halted and never touches the run.
   */
  readonly onAlarm?: OnAlarm;
  /** How often one run may go back under `recover` before an alarm halts it. Default 2. */
  readonly maxRecoveries?: number;
  /** Default `proceed`. Failures are counted, recorded and reported either way. */
  readonly onAuditFailure?: OnAuditFailure;
  /**
   * Default `block`: nothing that follows a turn starts before its verdict. `overlap` lets the next model call run
   * meanwhile, and nothing else: no tool, no handoff, no final answer.
   */
  readonly gating?: Gating;
  /** What auditing one run may take, and what becomes of the run when that is spent. Default: no limit. */
  readonly budget?: Budget;
  /** Thresholds that decide from the auditor's score what is an alarm. Default: the auditor's own word. */
  readonly calibration?: Calibration;
  /** Longest wait for one verdict, and for one acknowledgement of the recorder. Milliseconds, default 10,000. */
  readonly deadlineMs?: number;
  /** Which turns to ask about. Default: the auditor's own wish, or else portableSchedule(). */
  readonly schedule?: Schedule;
  /** Applied before the auditor, the recorder or an error sees a turn. Default: {@link secretRedactor}. */
  readonly redactor?: Redactor;
  /** Share of runs to record, chosen by run id. Runs left out are audited all the same. Default 1. */
  readonly sampleRate?: number;
  /**
   * Whether runs may become training data; recorded with each, and heeded by `agentforesight collect`. Default: nobody was
   * asked, so that they are not collected.
   */
  readonly consent?: Consent;
  /** Where swallowed faults go. Default: one warning per kind on stderr. */
  readonly diagnostics?: Diagnostics;
}

/** What plugins hook hosts to. One runtime serves any number of graphs and runs. */
export interface Runtime {
  readonly gating: Gating;
  readonly onAlarm: OnAlarm;
  readonly diagnostics: Diagnostics;
  /** Never throws: run info that makes no sense is reported, and replaced as far as needed. */
  openSession(info: RunInfo): AuditSession;
  /**
   * Records what is said of a run once its result has been used, in this process or a later one, and resolves when the
   * recorder has acknowledged it. Never rejects: feedback that makes no sense is reported. Of a run that `sampleRate`
   * leaves out none is recorded.
   */
  feedback(runId: string, feedback: Feedback): Promise<void>;
  /**
   * Waits until the recorder has settled what it was handed, at most `timeoutMs` (default 10,000), and says what was
   * written and what was dropped since the runtime was made. On a serverless host: `waitUntil(runtime.flush())`.
   */
  flush(timeoutMs?: number): Promise<FlushReport>;
}

/** @throws SetupError on an unknown or malformed option. */
export function createRuntime(options: RuntimeOptions = {}): Runtime {
  const parsed = optionsSchema.safeParse(options);
  if (!parsed.success) throw badOption(parsed.error);
  const {
    auditor = signalsAuditor(),
    recorder,
    redactor = secretRedactor(),
    sampleRate,
    consent,
    ...policy
  } = parsed.data;
  if (policy.calibration) requireSameAuditor(policy.calibration, auditorName(auditor));
  const diagnostics = guardDiagnostics(parsed.data.diagnostics ?? consoleDiagnostics());
  const schedule = parsed.data.schedule ?? scheduleOf(auditor);
  const keeper = recorder && new RecordKeeper(recorder, policy.deadlineMs, diagnostics);

  return {
    gating: policy.gating,
    onAlarm: policy.onAlarm,
    diagnostics,
    openSession(input) {
      const info = readRunInfo(input, diagnostics);
      return new AuditSession(info, {
        ...policy,
        budget: policy.budget,
        calibration: policy.calibration,
        auditor,
        schedule,
        redactor,
        diagnostics,
        consent: consentTo(info, consent, diagnostics),
        keeper: sampled(info.runId, sampleRate) ? keeper : undefined,
      });
    },
    async feedback(runId, given) {
      const record = feedbackRecord(runId, given, redactor, diagnostics);
      if (record && sampled(record.runId, sampleRate)) await keeper?.append(record);
    },
    flush: async (timeoutMs = 10_000) => keeper?.flush(timeoutMs) ?? { written: 0, dropped: 0, pending: 0 },
  };
}

/** Thresholds on another auditor's scores would alarm at random, or never. */
function requireSameAuditor(calibration: Calibration, auditor: string): void {
  if (isFor(calibration, auditor)) return;
  throw new SetupError(
    'runtime',
    `the calibration is for the scores of ${calibration.auditor}, and the auditor is ${auditor}`,
    'Calibrate this auditor with agentforesight calibrate, or leave the calibration out',
  );
}

function badOption(error: z.ZodError): SetupError {
  const [issue] = error.issues;
  const place = issue?.path.length ? `option ${issue.path.join('.')}` : 'the options';
  const what =
    issue?.code === 'unrecognized_keys'
      ? `there is no option ${issue.keys.join(', ')}`
      : `${place}: ${issue?.message}`;
  const remedy = `Options are ${Object.keys(optionsSchema.shape).join(', ')}; see the README`;
  return new SetupError('runtime', what, remedy, { cause: error });
}

/**
 * For plugins: a runtime that is none is a set-up fault, told before the first run.
 * @param framework the plugin's, for the message
 * @throws SetupError
 */
export function requireRuntime(framework: string, runtime: unknown): asserts runtime is Runtime {
  if (typeof runtime === 'object' && runtime !== null && 'openSession' in runtime) return;
  throw new SetupError(framework, 'the second argument is no runtime', 'Pass createRuntime()');
}

function readRunInfo(input: RunInfo, diagnostics: Diagnostics): RunInfo {
  const runId = randomUUID();
  try {
    const parsed = runInfoSchema.safeParse(input);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const readable = {
      runId: typeof input?.runId === 'string' && input.runId !== '' ? input.runId : runId,
      task: typeof input?.task === 'string' ? input.task : '',
    };
    const message = `the plugin opened a run with bad info: ${issue?.path.join('.') || 'info'}: ${issue?.message}`;
    diagnostics.report({ code: 'bad-run-info', message, runId: readable.runId, cause: parsed.error });
    return readable;
  } catch (cause) {
    // A property that throws when it is read.
    const message = `the plugin opened a run with info that cannot be read: ${messageOf(cause)}`;
    diagnostics.report({ code: 'bad-run-info', message, runId, cause });
    return { runId, task: '' };
  }
}

/** A role is an object with its one method; what the method does is the user's business. */
function roleSchema<Role extends object>(method: keyof Role & string) {
  return z.custom<Role>(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      typeof (value as Record<string, unknown>)[method] === 'function',
    { error: `expected an object with a method ${method}()` },
  );
}
