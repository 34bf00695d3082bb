import { message } from '../conversation/message.js';
import { toToolCall } from '../conversation/read-calls.js';
import { readParts, readResult } from '../conversation/read-parts.js';
import { usageOf } from '../conversation/read-usage.js';
import type { RunBuilder } from '../conversation/run-builder.js';
import { fieldOf, listOf, shown, textOf } from '../json-object.js';
import type { FoundValue } from '../json-values.js';

/** Kinds of AutoGen's messages that say nothing of their own: pieces of others, questions to a human's console. */
const SILENT = new Set(['ModelClientStreamingChunkEvent', 'UserInputRequestedEvent']);

export const autoGenEventTypes = new Set([
  ...SILENT,
  'TextMessage',
  'MultiModalMessage',
  'StopMessage',
  'HandoffMessage',
  'ToolCallSummaryMessage',
  'ToolCallRequestEvent',
  'ToolCallExecutionEvent',
  'ThoughtEvent',
  'MemoryQueryEvent',
  'SelectSpeakerEvent',
  'SelectorEvent',
  'CodeGenerationEvent',
  'CodeExecutionEvent',
]);

/** Tells one message or event of AutoGen 0.4 and newer. */
export function tellAutoGenEvent(builder: RunBuilder, event: unknown, at: FoundValue['at']): void {
  const type = textOf(event, 'type') ?? '';
  const name = textOf(event, 'source');
  const time = Date.parse(textOf(event, 'created_at') ?? '');
  const usage = usageOf(fieldOf(event, 'models_usage'));
  const told = { at, agent: name, usage, ...(Number.isFinite(time) && { time }) };
  const content = fieldOf(event, 'content');
  if (SILENT.has(type)) return;
  if (type === 'ToolCallRequestEvent') {
    builder.tell(message('agent', '', { name, toolCalls: listOf(event, 'content').map(toToolCall) }), told);
  } else if (type === 'ToolCallExecutionEvent') {
    for (const result of listOf(event, 'content')) builder.tell(readResult(result), told);
  } else if (type === 'CodeExecutionEvent') {
    const isError = Number(fieldOf(event, 'result', 'exit_code') ?? 0) !== 0;
    const output = shown(fieldOf(event, 'result', 'output'));
    builder.tell(message('tool', output, { toolName: 'code', ...(isError && { isError }) }), told);
  } else if (type === 'ThoughtEvent') {
    builder.tell(message('agent', '', { name, thought: shown(content) }), told);
  } else if (type === 'CodeGenerationEvent') {
    builder.tell(
      message('agent', shown(content), { name, toolCalls: [{ id: '', name: 'code', args: {} }] }),
      told,
    );
  } else if (type === 'HandoffMessage') {
    builder.tell(message('agent', shown(content), { name, handoffTo: textOf(event, 'target') }), told);
  } else {
    const { content: text, unknownParts } = readParts(content);
    builder.tell(message(name === 'user' ? 'user' : 'agent', text, { name, unknownParts }), told);
  }
}
