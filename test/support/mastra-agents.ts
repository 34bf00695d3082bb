import { Agent, type MastraLanguageModel } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { MockLanguageModelV3 } from 'ai/test';
import { z } from 'zod';

/** What a scripted model says in one call. */
export interface Line {
  readonly text?: string;
  readonly thought?: string;
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly args?: object }[];
}

export type Prompt = readonly { readonly role: string; readonly content: unknown }[];
/** By the prompt alone, or line by line; the last line is said again. */
export type Script = readonly Line[] | ((prompt: Prompt, at: number) => Line | Promise<Line>);

const usage = {
  inputTokens: { total: 3, noCache: 3, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 5, text: 5, reasoning: undefined },
};

/** A model that says what the script says. @param prompts takes what it is asked */
export function scriptedModel(script: Script, prompts: Prompt[] = []) {
  const next = async ({ prompt }: { readonly prompt: unknown }) => {
    const at = prompts.push(prompt as Prompt) - 1;
    return typeof script === 'function'
      ? script(prompt as Prompt, at)
      : (script[Math.min(at, script.length - 1)] as Line);
  };
  const reasonOf = ({ calls }: Line) => {
    const unified = calls?.length ? ('tool-calls' as const) : ('stop' as const);
    return { unified, raw: unified };
  };
  return new MockLanguageModelV3({
    doGenerate: async (options) => {
      const line = await next(options);
      return { content: partsOf(line), finishReason: reasonOf(line), usage, warnings: [] };
    },
    doStream: async (options) => {
      const line = await next(options);
      return {
        stream: ReadableStream.from(
          chunksOf(line, { type: 'finish', finishReason: reasonOf(line), usage }),
        ) as never,
      };
    },
  });
}

function partsOf({ text, thought, calls = [] }: Line) {
  return [
    ...(thought ? [{ type: 'reasoning' as const, text: thought }] : []),
    ...(text ? [{ type: 'text' as const, text }] : []),
    ...calls.map(({ id, name, args = {} }) => ({
      type: 'tool-call' as const,
      toolCallId: id,
      toolName: name,
      input: JSON.stringify(args),
    })),
  ];
}

function chunksOf(line: Line, finish: object): object[] {
  const parts = partsOf(line).flatMap((part, at): object[] => {
    if (part.type === 'tool-call') return [part];
    const id = String(at);
    const { type, text } = part;
    return [
      { type: `${type}-start`, id },
      { type: `${type}-delta`, id, delta: text },
      { type: `${type}-end`, id },
    ];
  });
  return [{ type: 'stream-start', warnings: [] }, ...parts, finish];
}

export const call = (name: string, args: object = {}, id = `${name}-1`) => ({ id, name, args });

/** A tool that notes that it ran. */
export function toolThat(id: string, work: (args: Record<string, unknown>) => unknown) {
  return createTool({
    id,
    description: `Does ${id}`,
    inputSchema: z.looseObject({}),
    execute: async (input) => work(input as Record<string, unknown>),
  });
}

/** An agent with a scripted model. */
export function agentThat(name: string, script: Script, more: object = {}) {
  const prompts: Prompt[] = [];
  // Mastra and the AI SDK declare the same interface, apart.
  const model = scriptedModel(script, prompts) as unknown as MastraLanguageModel;
  const agent = new Agent({
    id: name,
    name,
    description: `The ${name}`,
    instructions: `You are ${name}.`,
    model,
    ...more,
  });
  return Object.assign(agent, { prompts });
}
