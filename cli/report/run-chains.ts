import type { LoggedRun, Outcome } from '../../core/index.js';

/** How a run ended; `cut off` where the log does not say. */
export type Ending = Outcome['status'] | 'cut off';

/** In the order in which they are told. */
const ENDINGS: readonly Ending[] = [
  'completed',
  'failed',
  'halted',
  'paused',
  'interrupted',
  'aborted',
  'cut off',
];

/** Those that any of the counts has. */
export function endingsIn(...counts: readonly Readonly<Partial<Record<Ending, number>>>[]): Ending[] {
  return ENDINGS.filter((ending) => counts.some((of) => ending in of));
}

/** A run and those that continue it. */
export interface Chain {
  /** Whether any of them has an alarm. */
  isAlarmed: boolean;
  /** How the last of them ended. */
  ended: Ending;
}

interface Link {
  readonly continues: string | undefined;
  readonly isAlarmed: boolean;
  readonly ended: Ending;
}

/** Where a link stands in its chain. */
interface Place {
  readonly first: Link;
  /** Runs before it. */
  readonly depth: number;
}

/** Puts runs together that continue one another: a pause that a human has answered makes no second run. */
export class RunChains {
  readonly #links: Link[] = [];
  readonly #byId = new Map<string, Link>();

  /** @param file tells apart runs of the same id in other logs */
  add({ run, outcome }: LoggedRun, file: string, isAlarmed: boolean): void {
    const continues = run.continues === undefined ? undefined : `${file}\n${run.continues}`;
    const link: Link = { continues, isAlarmed, ended: outcome?.status ?? 'cut off' };
    this.#links.push(link);
    this.#byId.set(`${file}\n${run.runId}`, link);
  }

  /** A run that continues one which is not in its log begins a chain. */
  chains(): readonly Chain[] {
    const places = new Map<Link, Place>();
    const chains = new Map<Link, Chain & { depth: number }>();
    for (const link of this.#links) {
      const { first, depth } = this.#place(link, places);
      const chain = chains.get(first) ?? { isAlarmed: false, ended: link.ended, depth };
      chain.isAlarmed ||= link.isAlarmed;
      // A cut-off run is handed over last, after those that continue it.
      if (depth >= chain.depth) {
        chain.ended = link.ended;
        chain.depth = depth;
      }
      chains.set(first, chain);
    }
    return [...chains.values()];
  }

  #place(link: Link, places: Map<Link, Place>): Place {
    const unplaced: Link[] = [];
    let at: Link | undefined = link;
    // A log that names runs in a circle is odd, and no reason to hang.
    const seen = new Set<Link>();
    while (at && !places.has(at) && !seen.has(at)) {
      seen.add(at);
      unplaced.push(at);
      at = at.continues === undefined ? undefined : this.#byId.get(at.continues);
    }
    let place = at && places.get(at);
    for (const one of unplaced.toReversed()) {
      place = place ? { first: place.first, depth: place.depth + 1 } : { first: one, depth: 0 };
      places.set(one, place);
    }
    return places.get(link) as Place;
  }
}
