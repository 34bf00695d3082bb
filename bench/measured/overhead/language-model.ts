import type { LanguageModel } from 'ai';
import { ANSWER, ASIDE } from './subject.js';

type Model = Exclude<LanguageModel, string> & { readonly specificationVersion: 'v4' };
type Call = Parameters<Model['doGenerate']>[0];

const usage = {
  inputTokens: { total: 700, noCache: 700, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 40, text: 40, reasoning: 0 },
};

let ids = 0;

/**
 * Stands in for a model, in the interface that the AI SDK and Mastra share: calls its tool `calls` times, then answers. It
 * keeps nothing, so that it serves any number of runs.
 */
export function callingModel(toolName: string, calls: number, args: object): Model {
  const contentOf = ({ prompt }: Call) => {
    const answered = prompt.filter(({ role }) => role === 'tool').length;
    if (answered >= calls) return [{ type: 'text' as const, text: ANSWER }];
    const call = { type: 'tool-call' as const, toolCallId: `call_${ids++}`, toolName };
    return [
      { type: 'text' as const, text: ASIDE },
      { ...call, input: JSON.stringify(args) },
    ];
  };
  const reasonOf = (parts: number) => {
    const unified = parts > 1 ? ('tool-calls' as const) : ('stop' as const);
    return { unified, raw: unified };
  };
  return {
    specificationVersion: 'v4',
    provider: 'bench',
    modelId: 'calling',
    supportedUrls: {},
    async doGenerate(call) {
      const content = contentOf(call);
      return { content, finishReason: reasonOf(content.length), usage, warnings: [] };
    },
    async doStream(call) {
      const content = contentOf(call);
      const parts = content.flatMap((part): object[] =>
        part.type === 'tool-call'
          ? [part]
          : [
              { type: 'text-start' as const, id: 'text' },
              ...part.text
                .split(' ')
                .map((word) => ({ type: 'text-delta' as const, id: 'text', delta: `${word} ` })),
              { type: 'text-end' as const, id: 'text' },
            ],
      );
      const finish = { type: 'finish' as const, finishReason: reasonOf(content.length), usage };
      return {
        stream: ReadableStream.from([{ type: 'stream-start' as const, warnings: [] }, ...parts, finish]),
      };
    },
  } as Model;
}
