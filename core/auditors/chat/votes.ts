import type { ChatReply, ChatRequest } from '../../chat-client.js';
import type { Prefix } from '../../prefix.js';
import { parseVerdict } from '../parse-verdict.js';
import type { AskModel } from './model-calls.js';

/**
 * A score where the server gives no log-probabilities: the share of sampled replies that alarm. Votes that fail, are
 * cut off or cannot be read do not count; nothing when none is left.
 */
export async function voteShare(
  ask: AskModel,
  request: ChatRequest,
  votes: number,
  prefix: Prefix,
): Promise<number | undefined> {
  const asked = await Promise.allSettled(Array.from({ length: votes }, () => ask('vote', request)));
  const alarms = asked.flatMap((vote) => {
    if (vote.status === 'rejected' || !isWhole(vote.value)) return [];
    const parsed = parseVerdict(vote.value.text, prefix);
    return 'verdict' in parsed ? [parsed.verdict.kind === 'alarm'] : [];
  });
  return alarms.length === 0 ? undefined : alarms.filter(Boolean).length / alarms.length;
}

/** Even if it parses, a reply may have been cut off within a quotation: it counts no more than such a verdict would. */
function isWhole({ finishReason, refusal }: ChatReply): boolean {
  return refusal === undefined && finishReason !== 'length' && finishReason !== 'content_filter';
}
