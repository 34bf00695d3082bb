import { z } from 'zod';
import { readAnswer } from '../../collectors/judge/read-answer.js';
import { clientOptions, servedModelSchema } from '../../collectors/served-model.js';
import {
  AuditError,
  type AuditOptions,
  type AuditRequest,
  appendOnlyLayout,
  askModel,
  type ChatMessage,
  type ChatReply,
  chatClient,
  type Environment,
  jsonLine,
  type ModelCall,
  type ReasonedVerdict,
  RUN_INSTRUCTIONS,
  reasonedVerdict,
  replyRoom,
  VERDICT_FORM,
} from '../../core/index.js';

const price = z.number().nonnegative();

/** Money per million tokens. */
export const pricesSchema = z
  .strictObject({ input: price, cachedInput: price.optional(), output: price })
  .optional();

/** What methods that ask more than one question have in common. */
export const questionsSchema = servedModelSchema.extend({
  /** Of each reply, thoughts included. */
  maxReplyTokens: z.int().min(1).default(2_048),
  contextTokens: z.int().positive().default(32_768),
  turnTokens: z.int().min(256).default(2_048),
  /** The longest that a text found on the way may be when it is shown to the model again. */
  noteTokens: z.int().min(16).default(256),
  /** Sent with each request; a reply that is drawn again has the next number. Default: none is sent. */
  seed: z.int().nonnegative().optional(),
  prices: pricesSchema,
});

export type QuestionsConfig = z.output<typeof questionsSchema>;

/** What stands behind the run in a question. */
export interface Asked {
  /** What was found so far, a line of JSON each. Models quote agents: it is quoted as agents' text is. */
  readonly notes?: readonly object[];
  readonly text: string;
}

export interface Question<Answer> extends Asked {
  readonly purpose: ModelCall['purpose'];
  /** Of the JSON value that the reply must hold. */
  readonly schema: z.ZodType<Answer>;
  /** Default 0. */
  readonly temperature?: number;
  /** 0-based, of several replies drawn to one question. */
  readonly sample?: number;
}

/** Questions about one prefix. They begin alike, so that a server which caches prefixes computes the run once. */
export interface RunQuestions {
  /** @throws AuditError of kind `invalid` where the reply holds no answer; whatever else the request fails with */
  ask<Answer>(question: Question<Answer>): Promise<Answer>;
  /** Greedily, and once more where the reply is no verdict. @throws AuditError of kind `invalid` where neither is */
  verdict(asked: Asked): Promise<ReasonedVerdict>;
}

const SYSTEM = `${RUN_INSTRUCTIONS}

Behind the newest turn there may be lines with notes of your own. The question stands last: answer it, and nothing else.`;

/**
 * @param mostNotes how many notes of `noteTokens` a question may show: so much is left free of the run
 * @throws SetupError
 */
export function runQuestions(config: QuestionsConfig, env: Environment, mostNotes: number) {
  const { maxReplyTokens, contextTokens, turnTokens, noteTokens, seed, prices, ...served } = config;
  const client = chatClient(clientOptions(served, env));
  const layout = appendOnlyLayout({
    contextTokens,
    turnTokens,
    replyTokens: replyRoom(maxReplyTokens) + mostNotes * noteTokens + QUESTION_TOKENS,
  });

  /** @param isPart of a prefix whose own questions tell already what its prompt leaves out */
  return (request: AuditRequest, options: AuditOptions, isPart = false): RunQuestions => {
    const { body, cut } = layout.prompt(request);
    if (cut && !isPart) options.note?.({ type: 'cut', ...cut });
    const ask = askModel({ client, model: served.model, prices }, options);
    const messages = ({ notes = [], text }: Asked): readonly ChatMessage[] => [
      { role: 'system', content: SYSTEM },
      { role: 'user', content: `${body}${notes.map(jsonLine).join('')}\n${text}` },
    ];
    return {
      async ask(question) {
        const { purpose, schema, temperature = 0, sample = 0 } = question;
        const reply = await ask(purpose, {
          messages: messages(question),
          maxTokens: maxReplyTokens,
          temperature,
          fields: seed === undefined ? {} : { seed: seed + sample },
        });
        return answerOf(reply, schema);
      },
      verdict: (asked) =>
        reasonedVerdict(
          (purpose, said) =>
            ask(purpose, {
              messages: said,
              maxTokens: maxReplyTokens,
              temperature: 0,
              fields: seed === undefined ? {} : { seed },
            }),
          messages({ ...asked, text: `${asked.text}\n\n${VERDICT_FORM}` }),
          request.prefix,
        ),
    };
  };
}

/** Of the longest question, its form of reply included. */
const QUESTION_TOKENS = 1_024;

function answerOf<Answer>(reply: ChatReply, schema: z.ZodType<Answer>): Answer {
  if (reply.refusal !== undefined || reply.finishReason === 'content_filter')
    throw new AuditError('invalid', 'the model refuses to answer, or a content filter withheld its reply');
  const read = readAnswer(reply.text, schema);
  if (!read.failure) return read.answer;
  const isCut = reply.finishReason === 'length';
  throw new AuditError(
    'invalid',
    isCut ? 'the reply was cut off at its limit' : `the reply is no answer: ${read.failure.message}`,
  );
}

/**
 * The answers of several questions that could be read, for methods that go on without the others, as published.
 * @throws what a request failed with; AuditError of kind `invalid` when no answer could be read
 */
export async function readable<Answer>(asked: readonly Promise<Answer>[]): Promise<readonly Answer[]> {
  // All are waited for even where one has failed: what they took is to be metered.
  const settled = await Promise.allSettled(asked);
  const answers = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  const serious = failed.find((cause) => !(cause instanceof AuditError && cause.kind === 'invalid'));
  if (serious !== undefined) throw serious;
  if (answers.length === 0 && failed.length > 0) throw failed[0];
  return answers;
}

/** A text as a note may hold it: about `tokens` long. */
export function noteText(text: string, tokens: number): string {
  const most = tokens * CHARACTERS_PER_TOKEN;
  return text.length <= most ? text : `${text.slice(0, most)} […]`;
}

const CHARACTERS_PER_TOKEN = 4;
