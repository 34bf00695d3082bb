import { AuditError, type PromptLogprobsRoute, type ScoredPrompt } from '../../../core/index.js';

export type Ask = (
  purpose: 'probe' | 'logprobs',
  text: string,
  route: PromptLogprobsRoute,
) => Promise<ScoredPrompt>;

/** The text as it is comes first: a chat template is no part of a run. */
const ROUTES: readonly PromptLogprobsRoute[] = ['completions', 'echo', 'chat'];

/** Short, so that no server turns it away for its length. */
const PROBE = '{"step":0,"agent":"user","kind":"user","content":"What is 17 + 23?"}\n';

/**
 * Finds out, once, how a server tells the log-probabilities of a prompt. One that has no way is not asked again; one that
 * cannot be reached, or is busy, is.
 */
export function logprobsRoute() {
  let found: PromptLogprobsRoute | 'none' | undefined;
  return {
    /** @throws AuditError of kind `refused` when the server has none of them */
    async known(ask: Ask): Promise<PromptLogprobsRoute> {
      found ??= await firstThatWorks(ask);
      if (found !== 'none') return found;
      throw new AuditError(
        'refused',
        'the server gives no log-probabilities of a prompt, neither as prompt_logprobs at /completions and /chat/completions nor by echo; vLLM does',
      );
    },
  };
}

async function firstThatWorks(ask: Ask): Promise<PromptLogprobsRoute | 'none'> {
  for (const route of ROUTES) {
    try {
      const { tokens = [] } = await ask('probe', PROBE, route);
      // A server that looks past `echo` gives those of its one new token.
      if (
        tokens
          .map(({ text }) => text)
          .join('')
          .includes('17 + 23')
      )
        return route;
    } catch (cause) {
      if (!isRefusal(cause)) throw cause;
    }
  }
  return 'none';
}

/** Of the request itself: an unknown path or field. A reply that cannot be read is none of that kind, either. */
function isRefusal(cause: unknown): boolean {
  return cause instanceof AuditError && cause.kind === 'refused';
}
