import type { TurnKind } from '../../core/index.js';
import { type AgentStep, type Scenario, type Step, spoken } from './harness.js';

/** A turn as a plugin must tell it. */
export interface ToldTurn {
  readonly agent: string;
  readonly kind: TurnKind;
  readonly content: string;
}

/** One thing that a scenario does: code runs, or a turn is over and awaits its verdict. */
export type Moment = { readonly ran: string } | { readonly told: ToldTurn };

/** Everything that a scenario does, in order; side-by-side lanes one after the other. */
export function moments({ steps }: Scenario, task: string): readonly Moment[] {
  return steps.flatMap((step) => stepMoments(step, task));
}

/** The turns of a run, the task first. */
export function toldTurns(scenario: Scenario, task: string): readonly ToldTurn[] {
  const said = moments(scenario, task).flatMap((moment) => ('told' in moment ? [moment.told] : []));
  return [{ agent: 'user', kind: 'user', content: task }, ...said];
}

/** What has run when the turn at `step` is over; everything, without one. */
export function ranBefore(scenario: Scenario, task: string, step = Number.POSITIVE_INFINITY): string[] {
  const ran: string[] = [];
  let index = 0;
  for (const moment of moments(scenario, task)) {
    if ('ran' in moment) ran.push(moment.ran);
    else if (++index === step) break;
  }
  return ran;
}

function stepMoments(step: Step, task: string): readonly Moment[] {
  return 'lanes' in step
    ? step.lanes.flatMap((lane) => lane.flatMap((agent) => agentMoments(agent, task)))
    : agentMoments(step, task);
}

function agentMoments(step: AgentStep, task: string): readonly Moment[] {
  const { agent, throws, calls, leads = [] } = step;
  const tells = (kind: TurnKind, content: string): Moment => ({ told: { agent, kind, content } });
  return [
    ...Array.from({ length: throws?.times ?? 0 }, () => ({ ran: agent })),
    ...leads.flatMap((inner) => stepMoments(inner, task)),
    ...(calls ? [{ ran: agent }, tells('agent', ''), { ran: calls.tool }, tells('tool', calls.answers)] : []),
    { ran: agent },
    tells('agent', spoken(step, task)),
  ];
}
