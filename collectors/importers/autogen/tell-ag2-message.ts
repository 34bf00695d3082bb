import { message } from '../conversation/message.js';
import { callsIn } from '../conversation/read-calls.js';
import { readParts } from '../conversation/read-parts.js';
import type { RunBuilder } from '../conversation/run-builder.js';
import { fieldOf, listOf, textOf } from '../json-object.js';
import type { FoundValue } from '../json-values.js';

const HUMANS = new Set(['user', 'user_proxy', 'human', 'Human', 'Admin', 'Human_proxy', 'User_proxy']);

/**
 * Tells one message of AutoGen 0.2 or AG2. `role` is one chat's view and says nothing of who speaks: `name` does. The
 * first message is the task, whoever speaks it.
 */
export function tellAg2Message(
  builder: RunBuilder,
  given: unknown,
  at: FoundValue['at'],
  isFirst: boolean,
): void {
  const name = textOf(given, 'name');
  const answers = listOf(given, 'tool_responses');
  if (answers.length > 0) {
    for (const answer of answers) tellAnswer(builder, answer, at, name);
    return;
  }
  const role = textOf(given, 'role');
  if (role === 'tool' || role === 'function') {
    tellAnswer(builder, given, at, name);
    return;
  }
  const { content, unknownParts } = readParts(fieldOf(given, 'content'));
  const isHuman = isFirst || HUMANS.has(name ?? '');
  builder.tell(
    message(role === 'system' ? 'system' : isHuman ? 'user' : 'agent', content, {
      name,
      toolCalls: callsIn(given),
      unknownParts,
    }),
    { at },
  );
}

/** `name` is the tool's for a `function`, and the executing agent's for a `tool`. */
function tellAnswer(builder: RunBuilder, answer: unknown, at: FoundValue['at'], name?: string): void {
  const { content, unknownParts } = readParts(fieldOf(answer, 'content'));
  const isError = content.startsWith('Error:');
  builder.tell(
    message('tool', content, {
      toolCallId: textOf(answer, 'tool_call_id'),
      toolName: fieldOf(answer, 'role') === 'function' ? textOf(answer, 'name') : undefined,
      unknownParts,
      ...(isError && { isError }),
    }),
    { at, agent: name },
  );
}
