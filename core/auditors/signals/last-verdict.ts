import type { Prefix, TurnIndex } from '../../prefix.js';
import { toolResults } from '../../reading/tool-results.js';
import { type ToolVerdict, toolVerdict } from './tool-verdict.js';

export interface VerdictSeen {
  readonly verdict: ToolVerdict;
  readonly text: string;
}

const verdicts: TurnIndex = {
  *keys(turn) {
    if (toolResults(turn).some((result) => toolVerdict(result) !== undefined)) yield 'verdict';
  },
};

/** The newest pass or fail that any tool gave before a step; of parallel results the last one that judges. */
export function lastVerdictBefore(prefix: Prefix, step: number): VerdictSeen | undefined {
  const turn = prefix.last(verdicts, 'verdict', step);
  if (!turn) return undefined;
  const judged = toolResults(turn).map((result) => ({ verdict: toolVerdict(result), text: result.text }));
  return judged.findLast(({ verdict }) => verdict !== undefined);
}
