import { hash } from 'node:crypto';
import type { PolicySampler } from './policy-sampler.js';
import type { ReplyCache } from './reply-cache.js';

/** Asks for each reply once, whatever comes between: keyed by model, parameters, prompt and number. Failures are not kept. */
export function cachedSampler(sampler: PolicySampler, cache: ReplyCache): PolicySampler {
  const { name, parameters } = sampler;
  return {
    name,
    parameters,
    async sample(prompt, number, signal) {
      const key = hash('sha256', JSON.stringify([name, parameters, prompt, number]), 'base64url');
      const known = await cache.get(key);
      if (known !== undefined) return { reply: known, tokens: 0 };
      const drawn = await sampler.sample(prompt, number, signal);
      return drawn.failure ? drawn : { ...drawn, reply: await cache.add(key, drawn.reply) };
    },
  };
}
