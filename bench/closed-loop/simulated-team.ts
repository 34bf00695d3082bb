import { randomUUID } from 'node:crypto';
import { withAuditor } from 'agentforesight/manual';
import { AuditHalt, type Decision, type Runtime, type TurnInput } from '../../core/index.js';
import type { Dice } from './dice.js';
import { contentOf, taskNumber } from './simulated-auditor.js';
import { SimulatedRun, type SimulatedStep } from './simulated-run.js';
import type { Team } from './team-model.js';

/** A hand-written loop of simulated agents under a runtime, which may halt it or send it back. @returns its answer @throws AuditHalt */
export type SimulatedTeam = (task: string, attempt: number, runtime: Runtime) => Promise<string>;

export function simulatedTeam(team: Team, dice: Dice): SimulatedTeam {
  return async (task, attempt, runtime) => {
    const run = new SimulatedRun(team, dice, taskNumber(task), attempt);
    if (runtime.onAlarm === 'recover') return recovering(run, team, task, runtime);
    const solve = withAuditor(async (_task: string, report) => {
      while (!run.isOver) await report(turnOf(run.advance(), team));
      return run.answer;
    }, runtime);
    return solve(task);
  };
}

function turnOf(made: SimulatedStep, { agentAt }: Team): TurnInput {
  return {
    id: `${made.attempt}-${made.step}`,
    agent: agentAt(made.step),
    kind: 'agent',
    content: contentOf(made),
  };
}

/**
 * The same loop as a host that can go back, which a loop hooked by the manual plugin cannot: as the LangGraph plugin does it, each try is a
 * run that continues the one before, with the blamed step undone and the auditor's reason added.
 */
async function recovering(run: SimulatedRun, team: Team, task: string, runtime: Runtime): Promise<string> {
  const can = ['recover' as const];
  let session = runtime.openSession({ runId: randomUUID(), task, framework: 'simulated', can });
  let decision: Decision = { action: 'proceed' };
  for (let recoveries = 1; ; ) {
    while (!run.isOver && decision.action === 'proceed')
      decision = await session.submit(turnOf(run.advance(), team));
    if (decision.action === 'proceed') decision = await session.close({ status: 'completed' });
    else await session.close({ status: 'failed' });
    if (decision.action === 'proceed') return run.answer;
    const { alarm, turns } = decision.halt;
    if (decision.action !== 'recover' || !alarm) throw new AuditHalt(decision.halt);
    run.goBack(stepAt(turns, alarm.step));
    const kept = turns.slice(0, alarm.step).map(({ index: _index, ...turn }) => turn);
    const hint = { agent: 'user', kind: 'user' as const, content: `An auditor found: ${alarm.reason}` };
    const undone = turns.slice(alarm.step).map(({ id }) => id);
    session = runtime.openSession({
      runId: randomUUID(),
      task,
      framework: 'simulated',
      can,
      // All that was kept can be gone back to again.
      revisable: kept.map(({ id }) => id),
      continues: { runId: decision.halt.runId, turns: kept, recoveries: recoveries++, undone },
      given: [hint],
    });
    decision = { action: 'proceed' };
  }
}

/** Hints stand between the turns, and are no steps. */
function stepAt(turns: readonly TurnInput[], place: number): number {
  return turns.slice(0, place + 1).filter(({ kind }) => kind === 'agent').length;
}
