import type { z } from 'zod';

/** A question to a model whose answer is one JSON value. */
export interface Question<Answer> {
  /** The role: what the model is, and the form of its answer. */
  readonly system: string;
  /** What it is asked, with what it is to read. The text of runs is untrusted, and is marked as such by whoever asks. */
  readonly prompt: string;
  readonly schema: z.ZodType<Answer>;
  /** Tells apart questions that are asked several times, such as votes: part of the key under which answers are kept. */
  readonly sample?: number | undefined;
  /** Default: 0. */
  readonly temperature?: number | undefined;
}

export interface JudgeFailure {
  /** `nonsense`: an answer that the schema refuses. `budget`: it was not asked any more. */
  readonly kind: 'error' | 'timeout' | 'nonsense' | 'budget';
  readonly message: string;
}

/** What asking took, as far as it is known. Absent where nobody was asked. */
export interface JudgeUsage {
  /** Input and output together. */
  readonly tokens?: number | undefined;
  /** In the currency of the judge's prices. */
  readonly cost?: number | undefined;
}

export type JudgeReply<Answer> = { readonly usage?: JudgeUsage | undefined } & (
  | { readonly answer: Answer; readonly failure?: undefined }
  | { readonly answer?: undefined; readonly failure: JudgeFailure }
);

/** Asks a model. A failure is an answer, too: nothing is thrown but the signal's reason. */
export interface Judge {
  /** The model, as manifests name it. */
  readonly name: string;
  ask<Answer>(question: Question<Answer>, signal: AbortSignal): Promise<JudgeReply<Answer>>;
}
