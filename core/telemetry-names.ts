/**
 * The names under which audits appear in traces and metrics. `gen_ai.*` is OpenTelemetry's vocabulary for generative AI as of
 * semantic conventions 1.41, which backends know; none of it is stable yet, and its own repository has begun to rename the
 * metrics. `openinference.span.kind` is OpenInference's.
 */
export const names = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  conversation: 'gen_ai.conversation.id',
  agent: 'gen_ai.agent.name',
  model: 'gen_ai.request.model',
  inputTokens: 'gen_ai.usage.input_tokens',
  cachedInputTokens: 'gen_ai.usage.cache_read.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  tokenType: 'gen_ai.token.type',
  errorType: 'error.type',

  evaluationEvent: 'gen_ai.evaluation.result',
  evaluation: 'gen_ai.evaluation.name',
  score: 'gen_ai.evaluation.score.value',
  label: 'gen_ai.evaluation.score.label',
  explanation: 'gen_ai.evaluation.explanation',

  spanKind: 'openinference.span.kind',

  step: 'agentforesight.step',
  result: 'agentforesight.result',
  enforced: 'agentforesight.enforced',
  blamedStep: 'agentforesight.alarm.step',
  blamedAgent: 'agentforesight.alarm.agent',
  purpose: 'agentforesight.call.purpose',
  attempts: 'agentforesight.call.attempts',
  caller: 'agentforesight.call.auditor',
  shadow: 'agentforesight.call.shadow',
} as const;

/** Histograms' bounds are those that the conventions advise; tokens, and seconds. */
export const instruments = {
  tokens: {
    name: 'gen_ai.client.token.usage',
    unit: '{token}',
    bounds: [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864],
  },
  callDuration: {
    name: 'gen_ai.client.operation.duration',
    unit: 's',
    bounds: [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92],
  },
  audits: { name: 'agentforesight.audits', unit: '{audit}' },
  auditDuration: {
    name: 'agentforesight.audit.duration',
    unit: 's',
    /** From an auditor without a model to one that samples several votes. */
    bounds: [0.0001, 0.001, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48],
  },
} as const;
