import {
  type AuditSession,
  createRuntime,
  type Decision,
  type RunInfo,
  type Runtime,
  type RuntimeOptions,
  type TurnInput,
} from '../../../core/index.js';
import type { Subject } from '../clause.js';
import type { Harness } from '../harness.js';
import { type Graph, langGraphHarness } from '../harnesses/langgraph.js';
import { manualHarness } from '../harnesses/manual.js';

/** A plugin that breaks one promise, and the checks that must notice. */
export interface Mutant {
  /** Completes the sentence "a plugin that …". */
  readonly does: string;
  readonly fails: readonly string[];
  readonly subject: Subject;
}

export const langGraph: Subject = { harness: langGraphHarness as Harness<unknown>, createRuntime };
export const manual: Subject = { harness: manualHarness as Harness<unknown>, createRuntime };

export const goOn: Decision = { action: 'proceed' };

/** What a mutant does otherwise than the session that it stands in for. */
type Rework = (session: AuditSession, info: RunInfo) => Partial<Pick<AuditSession, 'submit' | 'close'>>;

/** The same object but for some methods; the others keep it as their `this`. */
function withMethods<Target extends object>(target: Target, methods: object): Target {
  return new Proxy(target, {
    get(_target, key) {
      if (key in methods) return Reflect.get(methods, key);
      const own: unknown = Reflect.get(target, key, target);
      return typeof own === 'function' ? own.bind(target) : own;
    },
  });
}

/** A plugin that hooks in a way of its own. */
export function overPlugin(
  { harness }: Subject,
  hook: (host: unknown, runtime: Runtime) => unknown,
): Subject {
  const plugin = { framework: harness.plugin.framework, hook };
  return { harness: { ...harness, plugin }, createRuntime };
}

/** A plugin that hooks its hosts with another runtime than it was given. */
export function overRuntime(subject: Subject, rework: (runtime: Runtime) => Runtime): Subject {
  const reworked = new WeakMap<Runtime, Runtime>();
  return overPlugin(subject, (host, runtime) => {
    const other = reworked.get(runtime) ?? rework(runtime);
    reworked.set(runtime, other);
    return subject.harness.plugin.hook(host, other);
  });
}

/** A plugin that tells a run's beginning otherwise. */
export function overInfo(subject: Subject, rework: (info: RunInfo) => RunInfo): Subject {
  return overRuntime(subject, (runtime) => ({
    ...runtime,
    openSession: (info) => runtime.openSession(rework(info)),
  }));
}

/** A plugin that makes other calls of its sessions, or heeds their decisions otherwise. */
export function overSession(subject: Subject, rework: Rework): Subject {
  return overRuntime(subject, (runtime) => ({
    ...runtime,
    openSession(info) {
      const session = runtime.openSession(info);
      return withMethods(session, rework(session, info));
    },
  }));
}

/** A plugin that tells each turn otherwise. */
export function overTurn(subject: Subject, rework: (turn: TurnInput) => TurnInput): Subject {
  return overSession(subject, (session) => ({ submit: (turn) => session.submit(rework(turn)) }));
}

/** A core that takes its options otherwise. */
export function overOptions(
  { harness }: Subject,
  rework: (options: RuntimeOptions) => RuntimeOptions,
): Subject {
  return { harness, createRuntime: (options = {}) => createRuntime(rework(options)) };
}

/** A LangGraph plugin whose hooked graph answers its caller otherwise. */
export function overGraph(
  rework: (hooked: Graph, bare: Graph) => Partial<Record<'invoke' | 'stream', unknown>>,
): Subject {
  return overHook((hooked, bare) => withMethods(hooked, rework(hooked, bare)));
}

/** A LangGraph plugin that does something more, or something else, when it hooks a graph. */
export function overHook(rework: (hooked: Graph, bare: Graph, runtime: Runtime) => unknown): Subject {
  return overPlugin(langGraph, (bare, runtime) =>
    rework(langGraphHarness.plugin.hook(bare as Graph, runtime), bare as Graph, runtime),
  );
}

/** A LangGraph plugin with one more callback handler, which may speak to the session of the run under way. */
export function overErrors(heard: (message: string, session: AuditSession) => unknown): Subject {
  return overHook((_hooked, bare, runtime) => {
    let session: AuditSession | undefined;
    const openSession = (info: RunInfo) => {
      session = runtime.openSession(info);
      return session;
    };
    const handleChainError = async (error: Error) => {
      if (session) await heard(error.message, session);
    };
    const hooked = langGraphHarness.plugin.hook(bare, { ...runtime, openSession });
    return hooked.withConfig({ callbacks: [{ handleChainError, awaitHandlers: true }] });
  });
}
