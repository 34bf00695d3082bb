import type { AuditNote } from '../../core/audit-note.js';
import type { AuditRequest } from '../../core/auditor.js';
import { type ChatAuditorOptions, chatAuditor } from '../../core/auditors/chat-auditor.js';
import { Trajectory } from '../../core/trajectory.js';
import { type Behaviour, fails, replies } from './model-server/behaviours.js';
import { replyTokens } from './model-server/reply-tokens.js';
import { modelServer, type SeenChat } from './model-server.js';

/** Three turns: the task, and two of the solver. */
export function request(content = 'It is 5.'): AuditRequest {
  const trajectory = new Trajectory();
  for (const [i, text] of ['Sum 2 and 2.', 'I add.', content].entries()) {
    const agent = i === 0 ? 'user' : 'solver';
    trajectory.append({
      id: `turn-${i}`,
      agent,
      kind: i === 0 ? 'user' : 'agent',
      content: text,
      path: [],
      at: 0,
    });
  }
  return { runId: 'run', task: 'Sum 2 and 2.', tools: [], prefix: trajectory.whole() };
}

/** A chat auditor of a server with a script, and the notes of its audits. */
export async function auditing(
  script: readonly Behaviour[] | ((seen: SeenChat, count: number) => Behaviour),
  options: Partial<ChatAuditorOptions> = {},
) {
  const server = await modelServer((seen, count) =>
    typeof script === 'function' ? script(seen, count) : (script[count] ?? fails(500, 'the script is over')),
  );
  const auditor = chatAuditor({ baseURL: server.baseURL, model: 'tiny', retries: 0, ...options });
  const notes: AuditNote[] = [];
  const audit = async (asked = request()) => {
    const told: (AuditNote | Promise<AuditNote>)[] = [];
    const signal = AbortSignal.timeout(20_000);
    try {
      return await auditor.audit(asked, { signal, note: (note) => void told.push(note) });
    } finally {
      notes.push(...(await Promise.all(told)));
    }
  };
  const purposes = () => notes.flatMap((note) => (note.type === 'call' ? [note.purpose] : []));
  return { server, auditor, audit, notes, purposes };
}

export const alarm = { kind: 'alarm', step: 2, agent: 'solver', reason: 'the sum is wrong' };

/** A reply that is given with odds at its answer. */
export const scored = (text: string, alarming: number): Behaviour => {
  const [before, after] = text.split(/(?<="answer":)/) as [string, string];
  const odds = { ' "': 1 - alarming, ' ': alarming };
  const token = after.startsWith(' "') || after.startsWith('"') ? ' "' : ' ';
  const rest = after.trimStart().replace(/^"/, '');
  const spaced = `${before}${token}${rest}`;
  const value = token === ' ' ? [['2', { '2': 1 }] as const, rest.slice(1)] : [rest];
  return replies({ text: spaced, tokens: replyTokens([before, [token, odds], ...value]) });
};
