import { z } from 'zod';
import { apiKeyEnvSchema } from '../api-key.js';
import { checkNames } from './signals/index.js';

const scheduleSchema = z.union(
  [
    z.enum(['portable', 'every-turn']),
    z.strictObject({ everyNth: z.int().positive(), signals: z.boolean().optional() }),
    z.strictObject({ base: z.enum(['portable', 'every-turn']), signals: z.boolean() }),
  ],
  {
    error:
      'expected "portable", "every-turn", {"everyNth": 3} or {"base": "portable"}, the last two with "signals": true for early calls',
  },
);

const common = {
  /** Shown in the run log. Default: the auditor's own. */
  name: z.string().min(1).optional(),
  /** When it wants to be asked. Default: the auditor's own wish. */
  schedule: scheduleSchema.optional(),
};

const signalsSchema = z.strictObject({
  kind: z.literal('signals'),
  ...common,
  alarmOn: z.array(z.enum(checkNames)).readonly().optional(),
  stepBudget: z.int().positive().optional(),
  scored: z.boolean().optional(),
});

const price = z.number().nonnegative();
const share = z.number().min(0).max(1);

const chatSchema = z
  .strictObject({
    kind: z.literal('chat'),
    ...common,
    baseURL: z.url({ protocol: /^https?$/, error: 'expected a URL such as http://localhost:8000/v1' }),
    model: z.string().min(1),
    apiKeyEnv: apiKeyEnvSchema.optional(),
    layout: z.enum(['append-only', 'published']).optional(),
    contextTokens: z.int().positive().optional(),
    turnTokens: z.int().min(256).optional(),
    maxReplyTokens: z.int().positive().optional(),
    votes: z.int().min(1).max(100).optional(),
    probe: z.strictObject({ threshold: share }).optional(),
    /** Money per million tokens. */
    prices: z.strictObject({ input: price, cachedInput: price.optional(), output: price }).optional(),
    retries: z.int().nonnegative().optional(),
    concurrency: z.int().positive().optional(),
    breaker: z
      .strictObject({ failures: z.int().positive().optional(), cooldownMs: z.number().positive().optional() })
      .optional(),
    /** Sent along with every request, such as `{"seed": 1}`. */
    extraBody: z.record(z.string(), z.json()).optional(),
  })
  .refine(
    ({ layout, contextTokens, turnTokens }) => layout !== 'published' || !(contextTokens ?? turnTokens),
    {
      path: ['layout'],
      error: 'the published layout has limits of its own; contextTokens and turnTokens go with append-only',
    },
  );

const cascadeSchema = z.strictObject({
  kind: z.literal('cascade'),
  ...common,
  continueBelow: share.optional(),
  get stages() {
    return z.array(auditorConfigSchema).min(2).readonly();
  },
});

const majoritySchema = z.strictObject({
  kind: z.literal('majority'),
  ...common,
  get auditors() {
    return z.array(auditorConfigSchema).min(2).readonly();
  },
});

const shadowSchema = z.strictObject({
  kind: z.literal('shadow'),
  ...common,
  sampleRate: share.optional(),
  get primary() {
    return auditorConfigSchema;
  },
  get candidate() {
    return auditorConfigSchema;
  },
});

/**
 * An auditor as plain JSON, to be kept in a repository or sent to another process. It names keys, it never holds one.
 *
 * @example
 * {
 *   "kind": "cascade",
 *   "stages": [
 *     { "kind": "signals" },
 *     { "kind": "chat", "baseURL": "http://localhost:8000/v1", "model": "auditor-7b", "apiKeyEnv": "AUDITOR_KEY" }
 *   ]
 * }
 */
export const auditorConfigSchema: z.ZodType<AuditorConfig> = z.discriminatedUnion(
  'kind',
  [signalsSchema, chatSchema, cascadeSchema, majoritySchema, shadowSchema],
  { error: 'expected an object whose kind is one of signals, chat, cascade, majority, shadow' },
);

/** An auditor's wish as JSON. With `signals`, a prefix that shows a symptom is due at once. */
export type ScheduleConfig = z.infer<typeof scheduleSchema>;

interface Common {
  readonly name?: string | undefined;
  readonly schedule?: ScheduleConfig | undefined;
}

export type SignalsConfig = Readonly<z.infer<typeof signalsSchema>>;
export type ChatConfig = Readonly<z.infer<typeof chatSchema>>;

export type AuditorConfig =
  | SignalsConfig
  | ChatConfig
  | (Common & {
      readonly kind: 'cascade';
      readonly stages: readonly AuditorConfig[];
      readonly continueBelow?: number | undefined;
    })
  | (Common & { readonly kind: 'majority'; readonly auditors: readonly AuditorConfig[] })
  | (Common & {
      readonly kind: 'shadow';
      readonly primary: AuditorConfig;
      readonly candidate: AuditorConfig;
      readonly sampleRate?: number | undefined;
    });
