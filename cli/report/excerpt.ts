import type { LoggedRun, Turn } from '../../core/index.js';

/** A turn as far as it is shown. */
export interface ShownTurn {
  readonly step: number;
  readonly agent: string;
  readonly kind: Turn['kind'];
  readonly text: string;
  /** Characters of the turn that are not shown. */
  readonly cut: number;
}

export type Excerpt = readonly ShownTurn[];

/** Turns shown on either side of the blamed one. */
const AROUND = 2;

/** Characters shown of one turn. */
const LONGEST_TEXT = 1_200;

/** The turns around the one that an alarm blames, and those at which it was raised, shortened. */
export function excerptAround(
  { turns }: LoggedRun,
  { step, raisedAtStep }: { readonly step: number; readonly raisedAtStep: number },
): Excerpt {
  const isNear = ({ index }: Turn) => Math.abs(index - step) <= AROUND || index === raisedAtStep;
  return turns.filter(isNear).map((turn) => {
    const text = textOf(turn);
    const { index, agent, kind } = turn;
    const shown = text.slice(0, LONGEST_TEXT);
    return { step: index, agent, kind, text: shown, cut: text.length - shown.length };
  });
}

function textOf({ thought, content, toolCalls = [], handoffTo }: Turn): string {
  const calls = toolCalls.map(({ name, args }) => `${name}(${JSON.stringify(args)})`);
  const handoff = handoffTo === undefined ? [] : [`→ ${handoffTo}`];
  return [thought, content, ...calls, ...handoff]
    .filter((part) => part !== undefined && part !== '')
    .join('\n');
}
