import { baseName } from '../../collectors/importers/speaker.js';
import type { Prefix, Turn } from '../../core/index.js';
import type { Floor } from './floor.js';
import { ruleAuditor } from './rule-auditor.js';

/** Whoever deals out the work: Magentic-One's and smolagents' names. Nothing else was chosen, and that on no score. */
const MANAGERS = new Set(['Orchestrator', 'Manager']);

/**
 * Blames the first turn of a worker, which is an agent that does not deal out the work. Where a tool answers at once, at
 * step 1, turn 0 was no mere task but a worker's code (Who&When's algorithm-generated half), and is blamed itself.
 */
export const firstWorkerTurn: Floor = {
  name: 'first-worker-turn',
  title: 'First worker turn',
  fit: () => () => firstWorkerAuditor,
};

const firstWorkerAuditor = ruleAuditor({
  name: firstWorkerTurn.name,
  reason: 'it is the first turn of a worker',
  blamed(prefix) {
    const { newest } = prefix;
    const isAtOnce = prefix.at(1)?.kind === 'tool';
    if (isAtOnce) return newest.index === 1 ? 0 : undefined;
    return isFirstWorker(prefix) ? newest.index : undefined;
  },
});

function isFirstWorker(prefix: Prefix): boolean {
  return isWorkers(prefix.newest) && ![...prefix].slice(0, -1).some(isWorkers);
}

function isWorkers({ kind, agent }: Turn): boolean {
  return kind === 'agent' && !MANAGERS.has(baseName(agent));
}
