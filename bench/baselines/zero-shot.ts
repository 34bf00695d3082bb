import { z } from 'zod';
import { clientOptions, servedModelSchema } from '../../collectors/served-model.js';
import { appendOnlyLayout, chatAuditor, publishedLayout, replyRoom } from '../../core/index.js';
import { baseline } from './baseline.js';
import { pricesSchema } from './run-questions.js';

const configSchema = servedModelSchema.extend({
  layout: z.enum(['published', 'append-only']).default('published'),
  maxReplyTokens: z.int().min(1).default(2_048),
  /** Of the append-only layout; the published one has no limit. */
  contextTokens: z.int().positive().default(32_768),
  prices: pricesSchema,
});

/**
 * An untrained model as judge: asked at each prefix, in the published prompt's order, greedily. A reply that is no verdict
 * is asked for once more. At most 2 calls an audit.
 */
export const zeroShot = baseline({
  name: 'zero-shot',
  title: 'Zero-shot judge',
  paper: 'the untrained rows of AgentForesight, arXiv 2605.08715',
  protocols: ['strict', 'official', 'post-hoc'],
  configSchema,
  create({ layout, maxReplyTokens, contextTokens, prices, ...served }, env) {
    return chatAuditor({
      ...clientOptions(served, env),
      name: `zero-shot ${served.model}`,
      layout:
        layout === 'published'
          ? publishedLayout()
          : appendOnlyLayout({ contextTokens, replyTokens: replyRoom(maxReplyTokens) }),
      maxReplyTokens,
      prices,
    });
  },
});
