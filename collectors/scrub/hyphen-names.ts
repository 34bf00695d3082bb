import type { Sample } from '../sample.js';
import type { ScrubRule } from './scrub-rule.js';

/**
 * Speakers' names in letters, digits and `_`: `Blu-Ray_Expert` becomes `Blu_Ray_Expert`, in turns, handovers and the label
 * alike, and where a text says the name. A name that another speaker of the run has already stays as it is.
 */
export const hyphenNames: ScrubRule = {
  name: 'hyphen-names',
  scrub(sample) {
    const names = renamed(sample);
    if (names.size === 0) return sample;
    const name = (known: string) => names.get(known) ?? known;
    const said = new RegExp(`(?<![\\w-])(?:${[...names.keys()].map(escaped).join('|')})(?![\\w-])`, 'g');
    const text = (words: string) => words.replace(said, name);
    const turns = sample.turns.map((turn) => ({
      ...turn,
      agent: name(turn.agent),
      content: text(turn.content),
      ...(turn.thought !== undefined && { thought: text(turn.thought) }),
      ...(turn.handoffTo !== undefined && { handoffTo: name(turn.handoffTo) }),
    }));
    const { label } = sample;
    if (label?.kind !== 'unsafe') return { ...sample, turns };
    return { ...sample, turns, label: { ...label, agent: name(label.agent) } };
  },
};

function renamed({ turns }: Sample): ReadonlyMap<string, string> {
  const taken = new Set(turns.map(({ agent }) => agent));
  const names = new Map<string, string>();
  for (const name of [...taken].filter((one) => /\w-\w/.test(one))) {
    const plain = name.replace(/(?<=\w)-(?=\w)/g, '_');
    if (taken.has(plain)) continue;
    taken.add(plain);
    names.set(name, plain);
  }
  return names;
}

function escaped(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
