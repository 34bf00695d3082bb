import { z } from 'zod';
import type { AuditRequest } from '../../auditor.js';
import { SetupError } from '../../errors.js';
import type { ToolSpec } from '../../run-info.js';
import type { Turn } from '../../turn.js';
import { CompactedLines, type Rendered } from './compaction.js';
import { type CountTokens, countTokens, wholeCount } from './count-tokens.js';
import { APPEND_ONLY_SYSTEM, APPEND_ONLY_TAIL } from './instructions.js';
import { jsonLine } from './json-line.js';
import { CountedLine, type Line } from './line.js';
import { taskLine, toolLines } from './opening.js';
import type { Prompt, PromptLayout } from './prompt-layout.js';
import { digestLine, turnLine } from './turn-line.js';

const optionsSchema = z.strictObject({
  /** Tokens that the model can take in all. */
  contextTokens: z.int().positive().default(32_768),
  /** Tokens kept free for the reply, and for what the model's chat template adds. */
  replyTokens: z.int().positive().default(2_048),
  /** The longest that one turn may be: what is over is left out of its middle. The task turn is spared. */
  turnTokens: z.int().min(256).default(2_048),
  /** Default: `o200k_base`. Other models count differently, by some tenths: give yours, or leave slack. */
  countTokens: z.custom<CountTokens>((value) => typeof value === 'function').default(() => countTokens),
});

export type AppendOnlyLayoutOptions = Readonly<z.input<typeof optionsSchema>>;

/** Below it there is no room for a task, tools and a few turns. */
const LEAST_FOR_THE_RUN = 2_048;

/**
 * Writes each prompt as the one before it and one line more: instructions, task, tools, then turn after turn in bytes that
 * never change, and a tail of a few tokens. A server that caches prefixes computes each turn once over a whole run.
 *
 * The prompt never exceeds `contextTokens - replyTokens`. A turn that is too long is shortened when it comes; when all
 * turns together are too long, the older ones are compacted at once to half of the room. Either is said in the prompt.
 * @throws SetupError when the options leave no room for the run
 */
export function appendOnlyLayout(options: AppendOnlyLayoutOptions = {}): PromptLayout {
  const { contextTokens, replyTokens, turnTokens, countTokens: given } = validated(options);
  const count = wholeCount(given, 'appendOnlyLayout');
  const fixedTokens = count(APPEND_ONLY_SYSTEM) + count(APPEND_ONLY_TAIL);
  const budget = contextTokens - replyTokens - fixedTokens;
  if (budget < LEAST_FOR_THE_RUN) {
    const least = LEAST_FOR_THE_RUN + fixedTokens + replyTokens;
    const what = `contextTokens ${contextTokens} leaves too little for the run`;
    throw new SetupError('appendOnlyLayout', what, `Give at least ${least}, or lower replyTokens`);
  }
  const openingOf = openings(Math.floor(budget / 4), Math.floor(budget / 8), count);
  const render = renderer({
    first: Math.floor(budget / 4),
    later: Math.min(turnTokens, Math.floor(budget / 8)),
    count,
  });
  return {
    name: 'append-only',
    prompt({ task, tools, prefix }: AuditRequest): Prompt {
      const opening = openingOf(task, tools);
      const [first, ...later] = [...prefix].map((turn) => render(turn, task)) as [Rendered, ...Rendered[]];
      const lines = new CompactedLines(budget, [opening.task, opening.tools, first.line], count);
      for (const turn of later) lines.add(turn);
      const cut = lines.cut();
      const leftOutFirst = opening.task.leftOut + first.line.leftOut;
      const turns = cut.turns + (leftOutFirst > 0 ? 1 : 0);
      return {
        system: APPEND_ONLY_SYSTEM,
        body: opening.task.text + opening.tools.text + first.line.text + lines.text(),
        tail: APPEND_ONLY_TAIL,
        get tokens() {
          return fixedTokens + lines.tokens;
        },
        cut: turns > 0 ? { turns, tokens: cut.tokens + leftOutFirst } : undefined,
      };
    },
  };
}

/** Task and tools of a run, rendered once for as long as its requests hand in the same list of tools. */
function openings(taskLimit: number, toolLimit: number, count: CountTokens) {
  const known = new WeakMap<readonly ToolSpec[], { of: string; task: Line; tools: Line }>();
  return (task: string, tools: readonly ToolSpec[]) => {
    const before = known.get(tools);
    if (before?.of === task) return before;
    const opening = {
      of: task,
      task: taskLine(task, taskLimit, count),
      tools: toolLines(tools, toolLimit, count),
    };
    known.set(tools, opening);
    return opening;
  };
}

interface Limits {
  /** Tokens of the task turn, and of any other. */
  readonly first: number;
  readonly later: number;
  readonly count: CountTokens;
}

/** Turns are rendered and counted once; their objects never change. */
function renderer({ first, later, count }: Limits): (turn: Turn, task: string) => Rendered {
  const known = new WeakMap<Turn, Rendered>();
  return (turn, task) => {
    if (saysTheTask(turn, task)) return rendered(turn, taskTurnLine(turn, count), count);
    const before = known.get(turn);
    if (before) return before;
    const made = rendered(turn, turnLine(turn, turn.index === 0 ? first : later, count), count);
    known.set(turn, made);
    return made;
  };
}

function rendered(turn: Turn, line: Line, count: CountTokens): Rendered {
  let digest: Line | undefined;
  return {
    turn,
    line,
    digest: () => {
      digest ??= digestLine(turn, line, count);
      return digest;
    },
  };
}

/** The task stands above already, and may be long. An outlandish speaker is left to {@link turnLine}, which shortens names. */
function saysTheTask({ agent, kind, content, thought, toolCalls }: Turn, task: string): boolean {
  const nothingElse = !thought && !toolCalls?.length && agent.length <= 64;
  return kind === 'user' && content === task && content !== '' && nothingElse;
}

function taskTurnLine({ index, agent }: Turn, count: CountTokens): Line {
  const text = jsonLine({ step: index, agent, kind: 'user', task: true });
  return new CountedLine(text, count);
}

function validated(options: AppendOnlyLayoutOptions) {
  const parsed = optionsSchema.safeParse(options);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const what = `${issue?.path.join('.') || 'the options'}: ${issue?.message}`;
  const remedy = 'It takes contextTokens, replyTokens, turnTokens (256 or more) and countTokens(text)';
  throw new SetupError('appendOnlyLayout', what, remedy, { cause: parsed.error });
}
