// What users import as `agentforesight/testing`. It stands here, not in core, which knows nothing of plugins.
export * from '../core/testing/index.js';
export * from './contract/index.js';
