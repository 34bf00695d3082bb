import type { AuditRequest } from '../../auditor.js';

/** A request to a chat model, and what of the prefix it leaves out. */
export interface Prompt {
  readonly system: string;
  /** Ends the user message; the same for every step, so that all before it can be cached. */
  readonly tail: string;
  /** The user message before its tail. */
  readonly body: string;
  /** Tokens of system, body and tail together, as the layout's tokenizer counts them. */
  readonly tokens: number;
  /** Turns that are shortened or left out, and the tokens of them that the model does not see. */
  readonly cut?: { readonly turns: number; readonly tokens: number } | undefined;
}

/** Writes the prompt for a prefix: a function of the request alone, so that every process writes the same bytes. */
export interface PromptLayout {
  readonly name: 'append-only' | 'published';
  prompt(request: AuditRequest): Prompt;
}
