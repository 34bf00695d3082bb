import { hash } from 'node:crypto';
import { toolResultTexts } from '../probe/tool-result-texts.js';
import type { Sample, SampleTurn } from '../sample.js';

/** Shorter ones, such as `TERMINATE`, are a host's words. */
const SHORTEST = 40;

/** A text that agents said word for word, whatever they were asked. */
export interface FixedText {
  /** Steps at which the sample has one. */
  readonly step: number;
  readonly text: string;
}

/**
 * Finds texts that agents say in runs of at least `tasks` different tasks: templates, such as the two that stand at the
 * error of 42 of AFTraj's coding injections. What a tool answered right before and calls do not count. No label is looked at.
 */
export class FixedTexts {
  readonly #tasks: number;
  /** By hash, the tasks of the texts seen, as hashes, until there are enough of them. */
  readonly #seen = new Map<string, Set<string>>();

  constructor(tasks: number) {
    this.#tasks = tasks;
  }

  add({ task, turns }: Sample): void {
    const asked = digest(folded(task));
    for (const { text } of spokenTexts(turns)) {
      const key = digest(folded(text));
      const tasks = this.#seen.get(key) ?? new Set();
      this.#seen.set(key, tasks);
      if (tasks.size < this.#tasks) tasks.add(asked);
    }
  }

  in({ turns }: Sample): readonly FixedText[] {
    return spokenTexts(turns).filter(({ text }) => {
      return (this.#seen.get(digest(folded(text)))?.size ?? 0) >= this.#tasks;
    });
  }

  get count(): number {
    return [...this.#seen.values()].filter(({ size }) => size >= this.#tasks).length;
  }
}

function spokenTexts(turns: readonly SampleTurn[]): readonly FixedText[] {
  return turns.flatMap((turn, step) => {
    const { kind, thought = '', content, toolCalls = [] } = turn;
    const text = `${thought}\n${content}`.trim();
    if (kind !== 'agent' || toolCalls.length > 0 || text.length < SHORTEST) return [];
    return thought === '' && isEcho(content, turns[step - 1]) ? [] : [{ step, text }];
  });
}

function isEcho(content: string, before: SampleTurn | undefined): boolean {
  return before?.kind === 'tool' && folded(toolResultTexts(before.content).join('\n')) === folded(content);
}

function folded(text: string): string {
  return text.toLowerCase().replace(/[\s"'`]+/g, '');
}

function digest(text: string): string {
  return hash('sha256', text, 'base64').slice(0, 20);
}
