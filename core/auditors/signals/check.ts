import type { Prefix } from '../../prefix.js';
import type { ToolSpec } from '../../run-info.js';

/** What a check saw, and where. `step` is 0-based and may lie before the newest turn: a failing tool blames its caller. */
export interface Finding {
  readonly step: number;
  readonly agent: string;
  /** One sentence with the evidence quoted. */
  readonly reason: string;
}

/**
 * How far a check's first fire can be trusted to be the decisive error; figures in docs/signals.md.
 * - `strong`: mostly exact on AFTraj's injected failures. The only ones that raise an alarm by default.
 * - `weak`: well under half exact outside AFTraj, or too rare to tell.
 * - `useless`: hardly ever exact, or more false alarms than hits; kept so that the figures can be reproduced.
 * - `observation`: a fact for the reader, not measured as an alarm.
 */
export type Grade = 'strong' | 'weak' | 'useless' | 'observation';

/** What a check may know beside the turns. */
export interface CheckContext {
  /** The tools that the run was opened with; empty when the host did not say. */
  readonly tools: readonly ToolSpec[];
  /** How many turns the run may take, if anybody set a limit. */
  readonly stepBudget: number | undefined;
}

/** A pure function of the prefix: asked at every turn, it answers for the newest one alone. */
export interface Check<Name extends string = string> {
  readonly name: Name;
  readonly grade: Grade;
  find(prefix: Prefix, context: CheckContext): Finding | undefined;
}
