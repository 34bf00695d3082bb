import type { ToolCall, Usage } from '../../../core/index.js';

/** One message of a conversation, whichever form it was kept in. */
export interface Message {
  readonly role: 'system' | 'user' | 'agent' | 'tool';
  /** The speaker, where the form names one. */
  readonly name?: string | undefined;
  readonly content: string;
  readonly thought?: string | undefined;
  readonly toolCalls: readonly ToolCall[];
  readonly toolCallId?: string | undefined;
  readonly toolName?: string | undefined;
  readonly isError?: boolean | undefined;
  readonly handoffTo?: string | undefined;
  readonly usage?: Usage | undefined;
  /** Kinds of parts that have no words, such as `image_url`. */
  readonly unknownParts: readonly string[];
}

export function message(role: Message['role'], content: string, more: Partial<Message> = {}): Message {
  return { role, content, toolCalls: [], unknownParts: [], ...more };
}
