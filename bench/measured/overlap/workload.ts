import { setTimeout as delay } from 'node:timers/promises';
import { type Auditor, everyTurn, type Runtime } from 'agentforesight';

export const MODEL_MS = 100;
export const AUDIT_MS = 80;

export interface Workload {
  readonly label: string;
  /**
   * Builds the host anew, unaudited without a runtime.
   *
   * @param ran takes the tools that run
   * @returns what runs it once, and says whether it was halted
   */
  prepare(ran: string[], runtime?: Runtime): () => Promise<boolean>;
}

export interface Workloads {
  /** So many agents that speak in turn, as in a group chat; each is one model call, and the last speaks the final answer. */
  conversation(agents: number): Workload;
  /** One agent that calls a tool so many times; a tool waits for the verdict on its call in any case. */
  toolAgent(calls: number): Workload;
}

export const conversationOf = (agents: number) => `conversation, ${agents} model calls`;
export const toolAgentOf = (calls: number) => `tool agent, ${calls + 1} model calls, ${calls} tools`;

/** Takes its time, and raises an alarm at one turn, if it is told to. */
export function slowAuditor(alarmAt = Number.POSITIVE_INFINITY, takes = AUDIT_MS): Auditor {
  let asked = 0;
  return {
    schedule: everyTurn(),
    audit: async ({ prefix }) => {
      const alarms = asked++ === alarmAt;
      await delay(takes);
      const { index: step, agent } = prefix.newest;
      return alarms ? { kind: 'alarm', step, agent, reason: 'the benchmark says so' } : { kind: 'continue' };
    },
  };
}
