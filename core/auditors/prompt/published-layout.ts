import type { AuditRequest } from '../../auditor.js';
import { type AfTrajTurn, type Turn, toAfTrajTurn } from '../../turn.js';
import { withoutControlTokens } from './control-tokens.js';
import { type CountTokens, countTokens, wholeCount } from './count-tokens.js';
import { tokensOf } from './fit-tokens.js';
import { PUBLISHED_SYSTEM, PUBLISHED_TAIL } from './instructions.js';
import { CountedLine, type Line } from './line.js';
import type { Prompt, PromptLayout } from './prompt-layout.js';

export interface PublishedLayoutOptions {
  /** Default: `o200k_base`. */
  readonly countTokens?: CountTokens;
}

/** Characters that each field of a turn keeps. */
const FIELD_LENGTH = 2_000;

/**
 * The order of the AgentForesight paper's public inference release, in our words, to compare models that were trained on it.
 * The number of the newest step stands before the turns, so nothing after it is the same in two prompts of a run, and
 * no cache helps: prefer {@link appendOnlyLayout}. Fields are plain text, so that an agent can forge what looks like a step;
 * and there is no budget for the whole: a server turns away what is too long.
 */
export function publishedLayout(options: PublishedLayoutOptions = {}): PromptLayout {
  const count = wholeCount(options.countTokens ?? countTokens, 'publishedLayout');
  const fixedTokens = count(PUBLISHED_SYSTEM) + count(PUBLISHED_TAIL);
  const known = new WeakMap<Turn, Line>();
  const render = (turn: Turn) => {
    const before = known.get(turn);
    if (before) return before;
    const line = turnBlock(turn, count);
    known.set(turn, line);
    return line;
  };
  return {
    name: 'published',
    prompt({ task, tools, prefix }: AuditRequest): Prompt {
      const toolNames = tools.map(({ name, description }) => `- ${name}: ${description ?? ''}\n`).join('');
      const opening = plain(`Task: ${task}\n${toolNames && `Tools:\n${toolNames}`}`);
      const newest = prefix.length - 1;
      const progress = `Observed up to step ${newest} (total ${prefix.length} steps):\n`;
      const blocks = [...prefix].map(render);
      const shortened = blocks.filter(({ leftOut }) => leftOut > 0);
      return {
        system: PUBLISHED_SYSTEM,
        body: opening + progress + blocks.map(({ text }) => text).join(''),
        tail: PUBLISHED_TAIL,
        get tokens() {
          const around = fixedTokens + count(opening) + count(progress);
          return blocks.reduce((total, { tokens }) => total + tokens, around);
        },
        cut:
          shortened.length > 0
            ? {
                turns: shortened.length,
                tokens: shortened.reduce((total, { leftOut }) => total + leftOut, 0),
              }
            : undefined,
      };
    },
  };
}

function turnBlock(turn: Turn, count: CountTokens): Line {
  const { role, thought, action, content } = toAfTrajTurn(withoutIds(turn));
  const whole: AfTrajTurn = { role, thought, action, content };
  const text = blockText(turn.index, {
    role: cut(role),
    thought: cut(thought),
    action: cut(action),
    content: cut(content),
  });
  const full = blockText(turn.index, whole);
  if (full === text) return new CountedLine(text, count);
  const tokens = count(text);
  return new CountedLine(text, count, Math.max(1, tokensOf(full, count) - tokens), tokens);
}

function blockText(step: number, { role, thought, action, content }: AfTrajTurn): string {
  return plain(`[step ${step}] role: ${role}\nthought: ${thought}\naction: ${action}\ncontent: ${content}\n`);
}

/** Ids of calls differ between equal runs, and in AFTraj some give the label away. */
function withoutIds(turn: Turn): Turn {
  const toolCalls = turn.toolCalls?.map((call) => ({ ...call, id: '' }));
  return { ...turn, toolCallId: '', ...(toolCalls && { toolCalls }) };
}

function cut(field: string): string {
  return field.length <= FIELD_LENGTH ? field : `${field.slice(0, FIELD_LENGTH)}… (cut)`;
}

function plain(text: string): string {
  return withoutControlTokens(text.toWellFormed());
}
