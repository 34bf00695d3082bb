import assert from 'node:assert/strict';
import {
  AuditHalt,
  type AuditRecord,
  memoryRecorder,
  type RuntimeOptions,
  type Turn,
} from '../../core/index.js';
import { proceed, ScriptedAuditor, type ScriptedReply, type SeenRequest } from '../../core/testing/index.js';
import type { Subject } from './clause.js';
import type { Run, Scenario } from './harness.js';

export const RUN: Run = { task: 'What is 17 + 23?', thread: 'one' };

export interface TrialOptions extends Omit<RuntimeOptions, 'auditor' | 'schedule'> {
  /** What the auditor replies, every time. Default: Continue. It is asked at every turn. */
  readonly reply?: ScriptedReply;
  /** An earlier trial of this scenario, over whose saved state a new process starts; what ran is noted in one list. */
  readonly after?: Trial;
}

/** One hooked host, and all that can be seen of it from outside. */
export interface Trial {
  readonly host: unknown;
  readonly hooked: unknown;
  /** Whose code ran, in order. */
  readonly ran: string[];
  /** The `unsaid` text that the framework handed to that code. */
  readonly heard: string[];
  readonly requests: readonly SeenRequest[];
  readonly records: readonly AuditRecord[];
  /** Codes of the faults that were swallowed. */
  readonly faults: readonly string[];
  of<Type extends AuditRecord['type']>(type: Type): Extract<AuditRecord, { type: Type }>[];
  /** The turns in the record, as they were told. */
  turns(): Turn[];
  run(run?: Run): Promise<unknown>;
  /** Runs, streamed, to the end of the stream. @throws AssertionError where the harness has no streams */
  stream(run?: Run): Promise<unknown[]>;
  /** @throws AssertionError where the harness cannot take runs up */
  resume(answer?: string, run?: Run): Promise<unknown>;
}

/** Builds a host, hooks it, and watches. */
export function trial(subject: Subject, scenario: Scenario, options: TrialOptions = {}): Trial {
  const { harness } = subject;
  const { reply = proceed, after, ...runtimeOptions } = options;
  const ran = after?.ran ?? [];
  const heard: string[] = [];
  const faults: string[] = [];
  const watch = {
    ran: (name: string, unsaid?: string) => {
      ran.push(name);
      if (unsaid !== undefined) heard.push(unsaid);
    },
  };
  const host = harness.build(scenario, watch, after?.host);
  const auditor = new ScriptedAuditor([], reply);
  const recorder = memoryRecorder();
  const runtime = subject.createRuntime({
    auditor,
    recorder,
    diagnostics: { report: ({ code }) => faults.push(code) },
    ...runtimeOptions,
  });
  const hooked = harness.plugin.hook(host, runtime);
  const of = <Type extends AuditRecord['type']>(type: Type) =>
    recorder.records.filter((record): record is Extract<AuditRecord, { type: Type }> => record.type === type);
  return {
    host,
    hooked,
    ran,
    heard,
    faults,
    requests: auditor.requests,
    records: recorder.records,
    of,
    turns: () => of('turn').map(({ turn }) => turn),
    run: (run = RUN) => harness.run(hooked, run),
    stream: (run = RUN) => streamed(subject, hooked, run),
    resume: async (answer, run = RUN) => {
      assert(harness.resume, 'the harness has no resume()');
      return harness.resume(hooked, run, answer);
    },
  };
}

/** The chunks of a run of a host, hooked or not. */
export async function streamed({ harness }: Subject, host: unknown, run: Run): Promise<unknown[]> {
  assert(harness.stream, 'the harness has no stream()');
  return Array.fromAsync(harness.stream(host, run));
}

/** What a run rejects with. */
export async function errorOf(run: Promise<unknown>): Promise<unknown> {
  return run.then(
    () => assert.fail('the run was expected to reject'),
    (error: unknown) => error,
  );
}

/** The halt that ends a run; whatever the host had begun by then has had time to come to light. */
export async function haltOf(run: Promise<unknown>): Promise<AuditHalt> {
  const error = await errorOf(run);
  assert(
    error instanceof AuditHalt,
    `the run was expected to reject with an AuditHalt, not with: ${String(error)}`,
  );
  await aMoment();
  return error;
}

/** A Continue but for one audit, counted from 0, which raises the alarm on the turn that it judges. */
export function alarmAt(audit: number): ScriptedReply {
  let asked = 0;
  return alarmWhen(() => asked++ === audit);
}

/** Raises the alarm on each turn of which `wrong` is true. */
export function alarmWhen(wrong: (newest: Turn) => boolean): ScriptedReply {
  return ({ prefix }: { readonly prefix: { readonly newest: Turn } }) => {
    const { index, agent } = prefix.newest;
    return wrong(prefix.newest)
      ? { kind: 'alarm', step: index, agent, reason: 'this step is wrong' }
      : proceed;
  };
}

export const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Long enough for a host that does not wait to do what it should wait for. */
export const aMoment = () => pause(25);
