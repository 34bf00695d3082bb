import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';

type Call = Parameters<MockLanguageModelV4['doGenerate']>[0];
type Generated = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>;
type StreamPart =
  Awaited<ReturnType<MockLanguageModelV4['doStream']>>['stream'] extends ReadableStream<infer Part>
    ? Part
    : never;
export type Reply = readonly Generated['content'][number][];

const usage = {
  inputTokens: { total: 11, noCache: 8, cacheRead: 3, cacheWrite: 0 },
  outputTokens: { total: 7, text: 7, reasoning: 0 },
};

export const says = (text: string): Reply => [{ type: 'text', text }];
export const thinks = (text: string): Reply => [{ type: 'reasoning', text }];
export const calls = (toolName: string, input: unknown, toolCallId = `${toolName}-call`): Reply => [
  {
    type: 'tool-call',
    toolCallId,
    toolName,
    input: typeof input === 'string' ? input : JSON.stringify(input),
  },
];

/** Says by the prompt alone what it says, streamed or not, so that one agent serves any number of runs. */
export function scriptedLanguageModel(
  reply: (prompt: Call['prompt'], call: Call) => Reply | Promise<Reply>,
): MockLanguageModelV4 {
  const finishReason = (content: Reply) => {
    const isCall = content.some((part) => part.type === 'tool-call' && !part.providerExecuted);
    return { unified: isCall ? ('tool-calls' as const) : ('stop' as const), raw: undefined };
  };
  return new MockLanguageModelV4({
    modelId: 'scripted',
    async doGenerate(call) {
      const content = [...(await reply(call.prompt, call))];
      return { content, finishReason: finishReason(content), usage, warnings: [] };
    },
    async doStream(call) {
      const content = await reply(call.prompt, call);
      const finish = { type: 'finish' as const, finishReason: finishReason(content), usage };
      const parts: StreamPart[] = [{ type: 'stream-start', warnings: [] }];
      return { stream: convertArrayToReadableStream([...parts, ...content.flatMap(streamParts), finish]) };
    },
  });
}

/** Words in two halves. */
function streamParts(part: Reply[number], at: number): StreamPart[] {
  if (part.type !== 'text' && part.type !== 'reasoning') return [part as StreamPart];
  const { type, text } = part;
  const id = `${type}-${at}`;
  const half = Math.ceil(text.length / 2);
  const deltas = [text.slice(0, half), text.slice(half)].filter((delta) => delta !== '');
  return [
    { type: `${type}-start`, id },
    ...deltas.map((delta) => ({ type: `${type}-delta` as const, id, delta })),
    { type: `${type}-end`, id },
  ] as StreamPart[];
}

type Message = Call['prompt'][number];

export const systemIn = (prompt: readonly Message[]): string | undefined => {
  const system = prompt.find(({ role }) => role === 'system');
  return system && String(system.content);
};

/** The model's newest word to answer is a tool's. */
export const isAnswered = (prompt: readonly Message[]): boolean => prompt.at(-1)?.role === 'tool';

export const taskIn = (prompt: readonly Message[]): string => {
  const user = prompt.find(({ role }) => role === 'user');
  const [part] = user?.role === 'user' ? user.content : [];
  return part?.type === 'text' ? part.text : '';
};
