import { AgentRun, type Runtime } from '../../core/index.js';
import { pastRuns } from './past-runs.js';

/** What an outermost agent is asked, where it is known before its messages are; its code may ask others before. */
const tasks = new WeakMap<AgentRun, string>();

export const taskOfRun = (run: AgentRun): string | undefined => tasks.get(run);

/** How the outermost call of a run begins. */
export interface Entry {
  /** As the caller gave it: text, a message, or several. */
  readonly input: unknown;
  readonly abortSignal?: AbortSignal | undefined;
  /** Mastra's id of the run that is taken up. */
  readonly resumedId?: string | undefined;
}

export function beginRun(runtime: Runtime, { input, abortSignal, resumedId }: Entry): AgentRun {
  const past = resumedId === undefined ? undefined : pastRuns(runtime).get(resumedId);
  const run = new AgentRun(runtime, {
    framework: 'mastra',
    can: ['pause', 'recover'],
    past,
    signal: abortSignal,
  });
  const task = textIn(input);
  if (task !== undefined) tasks.set(run, task);
  return run;
}

/** The newest word. */
function textIn(input: unknown): string | undefined {
  if (typeof input === 'string') return input;
  if (Array.isArray(input)) return textIn(input.at(-1));
  const { content, parts, text } = (input ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof text === 'string') return text;
  if (typeof content === 'string') return content;
  const within = Array.isArray(content) ? content : Array.isArray(parts) ? parts : undefined;
  return within?.map((part) => textIn(part) ?? '').join('');
}
