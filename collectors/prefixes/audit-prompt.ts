import type { ChatMessage, Prefix, PromptLayout } from '../../core/index.js';
import type { Sample } from '../sample.js';

/** What an auditor model is asked about a prefix: the messages that the chat auditor would send. */
export function auditPrompt(
  { id, task, tools }: Pick<Sample, 'id' | 'task' | 'tools'>,
  prefix: Prefix,
  layout: PromptLayout,
): readonly ChatMessage[] {
  const { system, body, tail } = layout.prompt({ runId: id, task, tools, prefix });
  return [
    { role: 'system', content: system },
    { role: 'user', content: body + tail },
  ];
}
