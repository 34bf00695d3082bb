import { toolResultTexts } from '../../collectors/probe/tool-result-texts.js';
import type { SampleTurn } from '../../collectors/sample.js';
import { type Auditor, everyTurn } from '../../core/index.js';
import type { FittedFloor, Floor } from './floor.js';
import { ruleAuditor } from './rule-auditor.js';
import { ruleScore } from './rule-score.js';

/**
 * One bit: blames the first agent turn right after a tool's answer that calls nothing and does not repeat that answer, white
 * space aside. It keeps silent in domains that its score over all training runs is better without.
 */
export const echoRule: Floor = {
  name: 'echo-rule',
  title: 'Echo rule',
  fit(training, protocol): FittedFloor {
    const scoreWithout = (domain: string | undefined) =>
      ruleScore(
        training,
        protocol,
        ({ turns, domain: its = NONE }, at) => its !== domain && breaksEcho(turns[at - 1], turns[at]),
      );
    const everywhere = scoreWithout(undefined);
    const domains = new Set(training.map(({ run }) => run.domain ?? NONE));
    const without = new Set([...domains].filter((domain) => scoreWithout(domain) > everywhere));
    return ({ run: { domain = NONE } }) => (without.has(domain) ? silent : echoAuditor);
  },
};

const NONE = '';

const silent: Auditor = {
  name: echoRule.name,
  schedule: everyTurn(),
  audit: () => ({ kind: 'continue' }),
};

const echoAuditor = ruleAuditor({
  name: echoRule.name,
  reason: "it calls nothing and does not repeat the tool's answer before it",
  blamed: (prefix) => (breaksEcho(prefix.at(-2), prefix.newest) ? prefix.newest.index : undefined),
});

function breaksEcho(before: SampleTurn | undefined, turn: SampleTurn | undefined): boolean {
  if (before?.kind !== 'tool' || turn?.kind !== 'agent') return false;
  if (turn.toolCalls?.length || turn.handoffTo !== undefined) return false;
  return folded(turn.content) !== folded(toolResultTexts(before.content).join('\n'));
}

function folded(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
