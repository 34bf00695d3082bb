import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { type Costs, type Extent, measure, median, ratio } from './measure.js';
import { printTable } from './table.js';

/**
 * Measures a framework whose plugin puts taps on its classes: bare in one process and audited in another, which take
 * turns block by block. Prints its table.
 *
 * @returns audited to bare, by the subjects' names, and as `bare` for the first of them
 */
export async function twoProcesses(framework: string, extent: Extent): Promise<Record<string, number>> {
  const bare = await start(framework, 'bare');
  const audited = await start(framework, 'audited');
  try {
    const rows: { name: string; label: string; costs: Record<'bare' | 'audited', Costs> }[] = [];
    for (const { name, label } of bare.subjects) {
      process.stderr.write(`${label}\n`);
      const told = { name, block: extent.block };
      const blocks = { bare: () => bare.block(told), audited: () => audited.block(told) };
      rows.push({ name, label, costs: await measure(blocks, extent) });
    }
    const cells = rows.map(({ label, costs }) => [
      label,
      median(costs.bare).toFixed(0),
      median(costs.audited).toFixed(0),
      ratio(costs.audited, costs.bare).toFixed(2),
    ]);
    printTable([[framework, 'bare µs/step', 'audited µs/step', 'audited to bare'], ...cells]);
    const ratios = rows.map(({ name, costs }) => [name, ratio(costs.audited, costs.bare)] as const);
    return { bare: ratios[0]?.[1] ?? Number.NaN, ...Object.fromEntries(ratios) };
  } finally {
    bare.end();
    audited.end();
  }
}

async function start(framework: string, way: 'bare' | 'audited') {
  const child = fork(path.join(import.meta.dirname, 'worker.js'), [framework, way]);
  const subjects = await answerOf<{ name: string; label: string }[]>(child);
  return {
    subjects,
    block(told: { readonly name: string; readonly block: number }): Promise<number> {
      const cost = answerOf<number>(child);
      child.send(told);
      return cost;
    },
    end: () => child.disconnect(),
  };
}

/** @throws if the process ends first */
async function answerOf<Answer>(child: ChildProcess): Promise<Answer> {
  const waiting = new AbortController();
  const { signal } = waiting;
  const ended = once(child, 'exit', { signal }).then(() => {
    throw new Error(`${child.spawnargs.slice(1).join(' ')} ended with ${child.exitCode}`);
  });
  const [answer] = await Promise.race([once(child, 'message', { signal }), ended]);
  waiting.abort();
  ended.catch(() => {});
  return answer as Answer;
}
