import { type Auditor, everyTurn, type Prefix } from '../../core/index.js';

export interface Rule {
  readonly name: string;
  /** Why it blames a step, in the alarm's words. */
  readonly reason: string;
  /** The step of the prefix that is blamed, undefined for none. Asked at every prefix that is audited. */
  blamed(prefix: Prefix): number | undefined;
}

/** An auditor that follows a rule and understands nothing. It names whoever spoke the blamed turn. */
export function ruleAuditor({ name, reason, blamed }: Rule): Auditor {
  return {
    name,
    schedule: everyTurn(),
    audit({ prefix }) {
      const step = blamed(prefix);
      const turn = step === undefined ? undefined : prefix.at(step);
      if (!turn) return { kind: 'continue' };
      return { kind: 'alarm', step: turn.index, agent: turn.agent, reason };
    },
  };
}
