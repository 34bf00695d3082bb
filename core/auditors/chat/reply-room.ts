/** Thoughts and answer together. */
export const DEFAULT_MAX_REPLY_TOKENS = 2_048;

/** What chat templates put around the messages: a handful for most, some hundred for the longest. */
const TEMPLATE_TOKENS = 256;

/** Tokens that a layout has to leave free, as its `replyTokens`, lest a server turn the longest prompts away. */
export function replyRoom(maxReplyTokens = DEFAULT_MAX_REPLY_TOKENS): number {
  return maxReplyTokens + TEMPLATE_TOKENS;
}
