import type { audited } from './agent-runs.js';
import { agentThat, type Script, toolThat } from './mastra-agents.js';

/** What the auditor was told, one line a turn; `*` marks what was given. */
export function lines({ turns }: Pick<ReturnType<typeof audited>, 'turns'>): string[] {
  return turns().map(({ agent, kind, content, given }) => `${given ? '*' : ''}${agent} ${kind}: ${content}`);
}

export function outcomes({ of }: Pick<ReturnType<typeof audited>, 'of'>): string[] {
  return of('close').map(({ outcome }) => outcome.status);
}

/** A tool `add` that answers, and what has run. */
export function adding(answer: unknown = '40') {
  const ran: string[] = [];
  const add = toolThat('add', () => {
    ran.push('add');
    return answer;
  });
  return { ran, tools: { add } };
}

/** An agent that calls `add` once, saying `first`, and then says `then`. */
export function adder(first: string, then = 'It is 40', answer: unknown = '40') {
  const { ran, tools } = adding(answer);
  const script: Script = [
    { text: first, calls: [{ id: 'add-1', name: 'add', args: { a: 17 } }] },
    { text: then },
  ];
  return { ran, agent: agentThat('solver', script, { tools }) };
}

/** Chunk types, each once, in order of appearance. */
export async function chunkTypes(stream: AsyncIterable<{ readonly type: string }>): Promise<string[]> {
  const types = new Set<string>();
  for await (const { type } of stream) types.add(type);
  return [...types];
}
