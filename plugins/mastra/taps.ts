import { Agent } from '@mastra/core/agent';
import { Run } from '@mastra/core/workflows';
import { tapClassOf } from './tap.js';
import { tapRunsOf } from './workflow-tap.js';

/**
 * Agents and workflows that code calls are met by no twin before they are at work. Of another copy of Mastra, CJS beside
 * ESM, the classes are tapped when a twin meets them.
 */
export function tapOurCopy(): void {
  tapClassOf(Object.create(Agent.prototype));
  tapRunsOf(Object.create(Run.prototype));
}
