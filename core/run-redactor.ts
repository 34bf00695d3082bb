import { z } from 'zod';
import type { AuditFailure } from './audit-failure.js';
import type { AuditNote } from './audit-note.js';
import { type JsonValue, toJsonValue } from './json.js';
import type { Redactor } from './redact.js';
import { type ToolSpec, toolSpecSchema } from './run-info.js';
import { type ToolCall, type TurnInput, toolCallSchema } from './turn.js';

/** Characters of a failure's message: an error may quote the whole request, and would at every turn. */
const LONGEST_FAILURE = 10_000;

export const DROPPED = '[dropped: the redactor failed]';

/** What of a turn is captured text. Ids, places and times are ours or the host's handles, and linking needs them intact. */
const capturedSchema = z.object({
  agent: z.string().min(1),
  content: z.string(),
  thought: z.string().optional(),
  toolName: z.string().optional(),
  handoffTo: z.string().optional(),
  toolCalls: z.array(toolCallSchema.omit({ id: true })).optional(),
});

/** All of them, set or not: a field that the redactor took out must not come back from the turn. */
export type CapturedFields = {
  readonly [Name in keyof typeof capturedSchema.shape]: TurnInput[Name];
};

/**
 * Applies the redactor to what a run captures. A redactor that throws or changes the shape costs the content, never the
 * run, and never lets it through.
 */
export class RunRedactor {
  readonly #redactor: Redactor;
  readonly #onFailure: (cause: unknown) => void;

  constructor(redactor: Redactor, onFailure: (cause: unknown) => void) {
    this.#redactor = redactor;
    this.#onFailure = onFailure;
  }

  /** Every captured field, as a copy that shares nothing with the host's objects. */
  captured(turn: TurnInput): CapturedFields {
    try {
      return redactedFields(turn, this.#redactor);
    } catch (cause) {
      this.#onFailure(cause);
      const { agent, thought, toolName, handoffTo, toolCalls } = turn;
      return {
        agent,
        content: DROPPED,
        thought: thought === undefined ? undefined : DROPPED,
        toolName,
        handoffTo,
        toolCalls: toolCalls?.map(({ id, name }) => ({ id, name, args: DROPPED })),
      };
    }
  }

  /** A single text, such as the task or a host's error. */
  text(text: string): string {
    return this.#textOr(() => this.#redactor.redact(text));
  }

  /** Any value, as JSON text: redacted before it becomes text, so that field names still tell. */
  json(value: unknown): string {
    return this.#textOr(() => JSON.stringify(this.#redactor.redact(toJsonValue(value))));
  }

  /** Under a field name that is a secret's, a schema may lose what it says of an argument of that name. */
  tool({ name, description, parameters }: ToolSpec): ToolSpec {
    return {
      name,
      ...(description !== undefined && { description: this.text(description) }),
      ...(parameters && this.#parameters(parameters)),
    };
  }

  #parameters(parameters: NonNullable<ToolSpec['parameters']>): Pick<ToolSpec, 'parameters'> {
    try {
      return toolSpecSchema.pick({ parameters: true }).parse({
        parameters: this.#redactor.redact(toJsonValue(parameters)),
      });
    } catch (cause) {
      this.#onFailure(cause);
      return {};
    }
  }

  /** An auditor's client may quote its key, or the request, in what it throws. */
  failure({ kind, message }: AuditFailure): AuditFailure {
    // Cut last: half a secret has no longer the shape of one.
    return { kind, message: this.text(message).slice(0, LONGEST_FAILURE) };
  }

  note(note: AuditNote): AuditNote {
    if (note.type !== 'opinion' || !note.failure) return note;
    return { ...note, failure: this.failure(note.failure) };
  }

  #textOr(redact: () => unknown): string {
    try {
      return z.string().parse(redact());
    } catch (cause) {
      this.#onFailure(cause);
      return DROPPED;
    }
  }
}

function redactedFields(turn: TurnInput, redactor: Redactor): CapturedFields {
  const { toolCalls } = turn;
  const redacted = readCaptured(redactor.redact(captured(turn)));
  if (redacted.toolCalls?.length !== toolCalls?.length)
    throw new Error('the redactor changed the number of tool calls');
  return {
    agent: redacted.agent,
    content: redacted.content,
    thought: redacted.thought,
    toolName: redacted.toolName,
    handoffTo: redacted.handoffTo,
    toolCalls: redacted.toolCalls?.map((call, i): ToolCall => ({ id: toolCalls?.[i]?.id ?? '', ...call })),
  };
}

type Captured = z.infer<typeof capturedSchema>;
type CapturedCall = NonNullable<Captured['toolCalls']>[number];

/** As a copy: a text as it is, arguments to the last level. */
function captured({ agent, content, thought, toolName, handoffTo, toolCalls }: TurnInput): JsonValue {
  if (toolCalls) {
    const calls = toolCalls.map(({ name, args, error }) => ({ name, args, error }));
    return toJsonValue({ agent, content, thought, toolName, handoffTo, toolCalls: calls });
  }
  const texts: Record<string, string> = { agent, content };
  if (thought !== undefined) texts['thought'] = thought;
  if (toolName !== undefined) texts['toolName'] = toolName;
  if (handoffTo !== undefined) texts['handoffTo'] = handoffTo;
  return texts;
}

/** @throws Error for what has not the shape of a captured turn any more */
function readCaptured(redacted: JsonValue): Captured {
  return readPlain(redacted) ?? capturedSchema.parse(redacted);
}

/** The quick way to what the schema would make of it. @returns nothing for any other, of which the schema must say what it is */
function readPlain(redacted: JsonValue): Captured | undefined {
  if (typeof redacted !== 'object' || redacted === null) return undefined;
  const { agent, content, thought, toolName, handoffTo, toolCalls } = redacted as Partial<Captured>;
  const areTexts =
    typeof agent === 'string' &&
    agent !== '' &&
    typeof content === 'string' &&
    isTextOrNone(thought) &&
    isTextOrNone(toolName) &&
    isTextOrNone(handoffTo);
  if (!areTexts) return undefined;
  const texts = { agent, content, thought, toolName, handoffTo };
  if (toolCalls === undefined) return texts;
  const calls = readPlainCalls(toolCalls);
  return calls && { ...texts, toolCalls: calls };
}

/** Field by field: what a redactor has added is dropped, as the schema drops it. */
function readPlainCalls(calls: unknown): CapturedCall[] | undefined {
  if (!Array.isArray(calls)) return undefined;
  const read: CapturedCall[] = [];
  for (const call of calls) {
    if (typeof call !== 'object' || call === null || Array.isArray(call)) return undefined;
    const { name, args, error } = call as Partial<CapturedCall>;
    if (typeof name !== 'string' || args === undefined || !isTextOrNone(error)) return undefined;
    read.push(error === undefined ? { name, args } : { name, args, error });
  }
  return read;
}

function isTextOrNone(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}
