import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import type { Judge, JudgeFailure, JudgeReply, Question } from '../../collectors/judge/judge.js';

/** What the script says to one question: an answer, right or wrong by the question's schema, or how the judge fails. */
export type Scripted = { readonly answer: unknown } | { readonly failure: JudgeFailure };

export type ScriptedReply = Scripted | ((question: Question<unknown>) => Scripted);

/** Looked for in the question's system message and prompt. */
type Which = string | RegExp;

interface Line {
  readonly which: Which;
  readonly reply: ScriptedReply;
  readonly again: boolean;
  used: number;
}

export const failsWith = (kind: JudgeFailure['kind'], message = `scripted ${kind}`): Scripted => ({
  failure: { kind, message },
});

/**
 * A judge whose model is a script. Lines are tried in order: the first unused one that fits the question is its reply. What
 * no line fits is an error of the test, and so is a line that nothing fitted by its end.
 */
export class ScriptedJudge implements Judge {
  readonly name: string;
  readonly calls: Question<unknown>[] = [];
  /** Most questions under way at once, so far. */
  busiest = 0;
  /** Milliseconds that each answer takes. */
  delayMs = 0;
  readonly #lines: Line[] = [];
  #busy = 0;

  constructor(name = 'scripted') {
    this.name = name;
    onTestFinished(() => {
      expect(this.leftovers, 'lines of the script that were never asked for').toEqual([]);
    });
  }

  /** Each reply answers one question that fits. */
  on(which: Which, ...replies: readonly ScriptedReply[]): this {
    for (const reply of replies) this.#lines.push({ which, reply, again: false, used: 0 });
    return this;
  }

  /** Answers every question that fits and that no line before it answers. */
  always(which: Which, reply: ScriptedReply): this {
    this.#lines.push({ which, reply, again: true, used: 0 });
    return this;
  }

  get leftovers(): readonly string[] {
    return this.#lines.filter(({ used }) => used === 0).map(({ which }) => String(which));
  }

  async ask<Answer>(question: Question<Answer>, signal: AbortSignal): Promise<JudgeReply<Answer>> {
    signal.throwIfAborted();
    this.calls.push(question);
    this.busiest = Math.max(this.busiest, ++this.#busy);
    try {
      if (this.delayMs > 0)
        await sleep(this.delayMs, undefined, { signal }).catch(() => signal.throwIfAborted());
      return this.#reply(question);
    } finally {
      this.#busy--;
    }
  }

  #reply<Answer>(question: Question<Answer>): JudgeReply<Answer> {
    const text = `${question.system}\n${question.prompt}`;
    const fits = (which: Which) => (typeof which === 'string' ? text.includes(which) : which.test(text));
    const line = this.#lines.find(({ which, again, used }) => (again || used === 0) && fits(which));
    if (!line) throw new Error(`the script has no reply to: ${text.slice(0, 2_000)}`);
    line.used++;
    const reply = typeof line.reply === 'function' ? line.reply(question) : line.reply;
    if ('failure' in reply) return reply;
    const { success, data, error } = question.schema.safeParse(reply.answer);
    if (success) return { answer: data };
    return { failure: { kind: 'nonsense', message: error.issues[0]?.message ?? 'nonsense' } };
  }
}
