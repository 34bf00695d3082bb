import type { Judge, JudgeFailure, JudgeReply, Question } from '../../../collectors/judge/judge.js';

/** Answers by a function of the question; an answer that its schema refuses is nonsense, as a real judge's is. */
export function answeringJudge(
  answer: (question: Question<unknown>) => unknown,
): Judge & { readonly asked: Question<unknown>[] } {
  const asked: Question<unknown>[] = [];
  return {
    name: 'scripted',
    asked,
    async ask<Answer>(question: Question<Answer>): Promise<JudgeReply<Answer>> {
      asked.push(question as Question<unknown>);
      const given = answer(question as Question<unknown>);
      if (given instanceof JudgeFault) return { failure: given.failure };
      const parsed = question.schema.safeParse(given);
      if (parsed.success) return { answer: parsed.data };
      return { failure: { kind: 'nonsense', message: parsed.error.message } };
    },
  };
}

/** To be given as an answer: the judge failed. */
export class JudgeFault {
  readonly failure: JudgeFailure;

  constructor(kind: JudgeFailure['kind'], message = 'the judge is down') {
    this.failure = { kind, message };
  }
}
