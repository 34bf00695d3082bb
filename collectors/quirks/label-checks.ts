import { baseName, isSameAgent } from '../importers/speaker.js';
import type { RecordedRun, RunLabel } from '../recorded-run.js';
import type { Finding, RunCheck } from './check.js';

type UnsafeLabel = Extract<RunLabel, { kind: 'unsafe' }>;
type Run = Omit<RecordedRun, 'quirks'>;

export const labelAgentAbsent = labelCheck('label-agent-absent', (run, { agent, step }) =>
  run.turns.some((turn) => isSameAgent(turn.agent, agent))
    ? undefined
    : { step, detail: `the label names "${agent}", who never speaks` },
);

/** Who&When labels `Orchestrator`, whose turns are spoken by `Orchestrator (thought)` and the like. */
export const labelAgentOnlyBaseName = labelCheck('label-agent-only-base-name', (run, { agent, step }) => {
  if (run.turns.some((turn) => turn.agent === agent)) return undefined;
  const form = run.turns.find((turn) => isSameAgent(turn.agent, agent))?.agent;
  return form === undefined
    ? undefined
    : { step, detail: `the label names "${agent}", who speaks only as "${form}" and the like` };
});

export const labelAgentNotAtStep = labelCheck('label-agent-not-at-step', (run, { agent, step }) => {
  const speaker = run.turns[step]?.agent ?? '';
  return isSameAgent(speaker, agent)
    ? undefined
    : {
        step,
        detail: `the label names "${agent}", but "${speaker}" (${baseName(speaker)}) speaks at its step`,
      };
});

export const labelOnToolTurn = labelCheck('label-on-tool-turn', (run, { step }) =>
  run.turns[step]?.kind === 'tool' ? { step, detail: 'the labelled step is a tool result' } : undefined,
);

export const labelAtTask = labelCheck('label-at-task', (_run, { step }) =>
  step === 0 ? { step, detail: 'the labelled step is turn 0, the task' } : undefined,
);

function labelCheck(code: string, find: (run: Run, label: UnsafeLabel) => Finding | undefined): RunCheck {
  return {
    code,
    *find(run) {
      const finding = run.label?.kind === 'unsafe' ? find(run, run.label) : undefined;
      if (finding) yield finding;
    },
  };
}
