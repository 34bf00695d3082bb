import type { Plugin } from '../../core/index.js';
import { type LangGraphHost, withAuditor } from './with-auditor.js';

export { GraphAuditHalt } from './halt.js';
export { langGraphReplayer, type ReplayerOptions } from './replayer.js';
export { type LangGraphHost, withAuditor } from './with-auditor.js';

export const langGraphPlugin: Plugin<LangGraphHost> = { framework: 'langgraph', hook: withAuditor };
