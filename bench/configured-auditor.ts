import { digestOf } from '../collectors/pipeline/digest.js';
import {
  type AuditorConfig,
  auditorName,
  createAuditor,
  type Environment,
  type JsonValue,
} from '../core/index.js';
import type { OpenBaseline } from './baselines/index.js';
import type { WalkedAuditor } from './walk.js';

/** Fields of a configuration that decide how the model is reached, and nothing of what it says. */
const REACHING = ['baseURL', 'apiKeyEnv', 'retries', 'concurrency', 'breaker', 'prices'];

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

/** A baseline, to be walked. */
export function walkedBaseline({ baseline, config, auditor }: OpenBaseline): WalkedAuditor {
  const { name } = baseline;
  return {
    auditor: auditorName(auditor),
    model: config.model,
    auditorDigest: digestOf(withoutReaching({ name, config: config as unknown as JsonValue })),
    auditorOf: () => auditor,
  };
}

function modelsOf(config: AuditorConfig): readonly string[] {
  return config.kind === 'chat' ? [config.model] : partsOf(config).flatMap(modelsOf);
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

/** Whatever has a `model` is a model that is reached somewhere. */
function withoutReaching(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutReaching);
  const left = 'model' in value ? REACHING : [];
  const kept = Object.entries(value).filter(([field]) => !left.includes(field));
  return Object.fromEntries(kept.map(([field, item]) => [field, withoutReaching(item)]));
}
