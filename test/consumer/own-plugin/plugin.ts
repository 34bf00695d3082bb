// An outsider's plugin for an outsider's framework: all that it takes.
import { randomUUID } from 'node:crypto';
import {
  AuditHalt,
  type Decision,
  messageOf,
  type Plugin,
  type Runtime,
  requireRuntime,
  type TurnInput,
} from 'agentforesight';
import type { Chorus, Line } from './chorus.js';

export const chorusPlugin: Plugin<Chorus> = { framework: 'chorus', hook: withAuditor };

const hooks = new WeakMap<Chorus, Runtime>();

export function withAuditor(chorus: Chorus, runtime: Runtime): Chorus {
  requireRuntime('chorus', runtime);
  if (hooks.get(chorus) === runtime) return chorus;
  const hooked = chorus.heardBy((song) => {
    const session = runtime.openSession({ runId: randomUUID(), task: song, framework: 'chorus' });
    let calls = 0;
    return {
      sung: async (line) => {
        if (line.call) calls++;
        haltUnlessProceed(await session.submit(toTurn(line, `call-${calls}`)));
      },
      ended: async (error) => {
        const status = error === undefined ? 'completed' : error instanceof AuditHalt ? 'halted' : 'failed';
        haltUnlessProceed(
          await session.close(error === undefined ? { status } : { status, error: messageOf(error) }),
        );
      },
    };
  });
  hooks.set(hooked, runtime);
  return hooked;
}

function toTurn({ by: agent, text: content, call, answerOf, failed }: Line, id: string): TurnInput {
  if (answerOf !== undefined)
    return { agent, kind: 'tool', content, toolCallId: id, toolName: answerOf, isError: failed === true };
  if (!call) return { agent, kind: 'agent', content };
  return { agent, kind: 'agent', content, toolCalls: [{ id, name: call.tool, args: call.args as string }] };
}

/** A chorus repeats a part that fails, unless the error is final. */
function haltUnlessProceed(decision: Decision): void {
  if (decision.action === 'halt') throw Object.assign(new AuditHalt(decision.halt), { final: true });
}
