import { z } from 'zod';
import { clientOptions, servedModelSchema } from '../../collectors/served-model.js';
import {
  AuditError,
  type Auditor,
  appendOnlyLayout,
  chatClient,
  type Environment,
  isAgentTurn,
  noted,
  replyRoom,
  type Turn,
  type Verdict,
} from '../../core/index.js';
import { baseline } from './baseline.js';
import { type Ask, logprobsRoute } from './perplexity/logprobs-route.js';
import { type Surprise, turnSurprise } from './perplexity/turn-surprise.js';
import { pricesSchema } from './run-questions.js';

const configSchema = servedModelSchema.extend({
  /** Of the score: above it there is an alarm. To be chosen on training rows. Default: none, scores alone are given. */
  threshold: z.number().min(0).max(1).optional(),
  /** `none`: the turn's perplexity. `run`: its surprise by that of the run's earlier agent turns, to even out what is hard. */
  normalise: z.enum(['none', 'run']).default('none'),
  contextTokens: z.int().positive().default(32_768),
  turnTokens: z.int().min(256).default(4_096),
  prices: pricesSchema,
});

type Config = z.output<typeof configSchema>;

/**
 * Uncertainty: how surprised the model is by the newest turn, given all before it. Where it is an agent's and surprises
 * too much, it is blamed; other turns, and empty ones, are not asked about. No reply is generated.
 *
 * The score grows with the turn's mean negative log-probability per token: it is 1 - 1 / perplexity, or, normalised, the
 * share that the turn has of its own and the earlier turns' mean. It is no probability of an alarm.
 *
 * Calls an audit: 1, and 0 where the newest turn is not asked about. The first audit also asks which way the server knows: 1 to 3.
 */
export const perplexity = baseline({
  name: 'perplexity',
  title: 'Perplexity',
  paper: 'the uncertainty row of AgentForesight, arXiv 2605.08715',
  protocols: ['strict', 'official'],
  configSchema,
  create: surprised,
});

/** So that a text which follows the newest turn does not decide how that ends. */
const CLOSING = '{"end":true}\n';
const OPENING = 'The log of a team of AI agents: the task, the tools, then one line for each turn.\n';

function surprised(config: Config, env: Environment): Auditor {
  const {
    threshold = Number.POSITIVE_INFINITY,
    normalise,
    contextTokens,
    turnTokens,
    prices,
    ...served
  } = config;
  const client = chatClient(clientOptions(served, env));
  const layout = appendOnlyLayout({ contextTokens, turnTokens, replyTokens: replyRoom(1) });
  const route = logprobsRoute();
  return {
    name: `perplexity ${config.model}`,
    async audit(request, options): Promise<Verdict> {
      const { newest } = request.prefix;
      if (!isAgentTurn(newest) || saysNothing(newest)) return { kind: 'continue' };
      const { body, cut } = layout.prompt(request);
      if (cut) options.note?.({ type: 'cut', ...cut });
      const ask: Ask = (purpose, text, way) =>
        noted({ purpose, model: served.model, prices }, options, (sending) =>
          client.promptLogprobs(text, way, sending),
        );
      const { tokens } = await ask('logprobs', OPENING + body + CLOSING, await route.known(ask));
      const surprise = turnSurprise(tokens ?? [], request.prefix);
      if (!surprise)
        throw new AuditError('invalid', 'the log-probabilities are not those of the prompt that was sent');
      const score = scoreOf(surprise, normalise);
      if (score === undefined) return { kind: 'continue' };
      if (score <= threshold) return { kind: 'continue', score };
      const { index: step, agent } = newest;
      return {
        kind: 'alarm',
        step,
        agent,
        reason: `perplexity ${Math.exp(surprise.newest).toFixed(2)}`,
        score,
      };
    },
  };
}

/** Undefined where there is no earlier turn to compare with. */
function scoreOf({ newest, earlier }: Surprise, normalise: Config['normalise']): number | undefined {
  if (normalise === 'none') return 1 - Math.exp(-newest);
  if (earlier === undefined) return undefined;
  return newest === 0 ? 0 : newest / (newest + earlier);
}

function saysNothing({ content, thought, toolCalls = [], handoffTo }: Turn): boolean {
  return !content && !thought && toolCalls.length === 0 && handoffTo === undefined;
}
