import { createRuntime, everyTurn, type Runtime } from 'agentforesight';
import type { Hook } from './subject.js';

/** Each plugin's own hook, loaded with its framework only. */
const PLUGINS: Readonly<Record<string, (runtime: Runtime) => Promise<(host: never) => unknown>>> = {
  mastra: async (runtime) => {
    const { withAuditor } = await import('agentforesight/mastra');
    return (host) => withAuditor(host, runtime);
  },
  'openai-agents': async (runtime) => {
    const { withAuditor } = await import('agentforesight/openai-agents');
    return (host) => withAuditor(host, runtime);
  },
  'ai-sdk': async (runtime) => {
    const { withAuditor } = await import('agentforesight/ai-sdk');
    return (host) => withAuditor(host, runtime);
  },
};

/** Asks at every turn an auditor that costs nothing itself; no run log, whose cost is the disk's. */
export async function auditedHook(framework: string): Promise<Hook> {
  const auditor = { audit: async () => ({ kind: 'continue' as const }) };
  const hook = await PLUGINS[framework]?.(createRuntime({ auditor, schedule: everyTurn() }));
  if (!hook) throw new Error(`no plugin for ${framework}`);
  return hook as Hook;
}
