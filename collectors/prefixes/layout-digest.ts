import { hash } from 'node:crypto';
import type { PromptLayout } from '../../core/index.js';
import { runPrefixes } from './run-prefixes.js';

/** Longer than any layout shows whole, so that its limits and its tokenizer show in what it writes. */
const LONG = Array.from({ length: 12_000 }, (_, at) => `word ${at}`).join(' ');
const AGENTS = ['user', 'planner', 'solver', 'planner', 'solver'];

/** Tells layouts of one name apart that write other prompts: a hash of what one writes of a long run. */
export function layoutDigest(layout: PromptLayout): string {
  const turns = AGENTS.map((agent) => ({ agent, kind: 'agent' as const, content: LONG }));
  const prefix = [...runPrefixes({ turns })].at(-1);
  if (!prefix) throw new Error('the run has turns');
  const tools = [{ name: 'search', description: LONG }];
  const { system, body, tail } = layout.prompt({ runId: 'digest', task: LONG, tools, prefix });
  return hash('sha256', JSON.stringify([system, body, tail])).slice(0, 16);
}
