import { digestOf } from '../collectors/pipeline/digest.js';
import {
  type AuditorConfig,
  auditorName,
  createAuditor,
  type Environment,
  type JsonValue,
} from '../core/index.js';
import type { WalkedAuditor } from './walk.js';

/** Fields of a chat configuration that decide how the model is reached, and nothing of what it says. */
const REACHING = new Set(['baseURL', 'apiKeyEnv', 'retries', 'concurrency', 'breaker', 'prices']);

/**
 * The auditor of a configuration, to be walked. A model that was moved to another port is the same auditor.
 * @throws SetupError when a variable that it names is not set, or a factory refuses an option
 */
export function configuredAuditor(config: AuditorConfig, env: Environment = process.env): WalkedAuditor {
  const auditor = createAuditor(config, env);
  const models = [...new Set(modelsOf(config))];
  return {
    auditor: auditorName(auditor),
    model: models.length > 0 ? models.join(' + ') : undefined,
    auditorDigest: digestOf(withoutReaching(config as unknown as JsonValue)),
    auditorOf: () => auditor,
  };
}

function partsOf(config: AuditorConfig): readonly AuditorConfig[] {
  switch (config.kind) {
    case 'cascade':
      return config.stages;
    case 'majority':
      return config.auditors;
    case 'shadow':
      // Nothing that the candidate says counts.
      return [config.primary];
    default:
      return [];
  }
}

function modelsOf(config: AuditorConfig): readonly string[] {
  return config.kind === 'chat' ? [config.model] : partsOf(config).flatMap(modelsOf);
}

function withoutReaching(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutReaching);
  const isChat = (value as { kind?: JsonValue }).kind === 'chat';
  const kept = Object.entries(value).filter(([field]) => !(isChat && REACHING.has(field)));
  return Object.fromEntries(kept.map(([field, item]) => [field, withoutReaching(item)]));
}
