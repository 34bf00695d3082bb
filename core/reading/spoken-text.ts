import type { Turn } from '../turn.js';
import { endsOf } from './ends-of.js';

const READ_AT_EACH_END = 16_000;

/** What an agent said: its content, or its thought where a log (AFTraj's) keeps the words there and leaves content empty. */
export function spokenText({ content, thought }: Turn): string {
  return endsOf(/\S/.test(content) ? content : (thought ?? ''), READ_AT_EACH_END);
}

/** Everything an agent let out in words, its thought first. */
export function thoughtAndText({ content, thought }: Turn): string {
  return endsOf(thought ? `${thought}\n${content}` : content, READ_AT_EACH_END);
}

/** Folds case, white space and quotes away, so that a result and an agent's repetition of it compare equal. */
export function folded(text: string): string {
  return text.replace(/[\s"'`“”‘’«»]+/g, '').toLowerCase();
}
