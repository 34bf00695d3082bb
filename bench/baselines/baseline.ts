import type { z } from 'zod';
import type { Auditor, Environment } from '../../core/index.js';
import type { Protocol } from '../protocol.js';

/** What every baseline's configuration says: which model is asked. */
export interface BackboneConfig {
  readonly model: string;
}

/** A published method, made an auditor over any served model. */
export interface Baseline {
  /** Kebab-case: `tree-of-thoughts`. */
  readonly name: string;
  /** As tables print it. */
  readonly title: string;
  /** Authors, year, and where to find it. */
  readonly paper: string;
  /** That it may be walked under, the usual one first. */
  readonly protocols: readonly Protocol[];
  readonly configSchema: z.ZodType<BackboneConfig>;
  /**
   * @param config as `configSchema` gave it back
   * @param env where keys are looked up by the names that the configuration gives
   * @throws SetupError when such a variable is not set, or the options leave no room for a run
   */
  create(config: BackboneConfig, env: Environment): Auditor;
}

interface Definition<Config extends BackboneConfig> extends Omit<Baseline, 'configSchema' | 'create'> {
  readonly configSchema: z.ZodType<Config>;
  create(config: Config, env: Environment): Auditor;
}

/** Puts a method beside others whose configurations differ: each is handed what its own schema has checked. */
export function baseline<Config extends BackboneConfig>(definition: Definition<Config>): Baseline {
  return { ...definition, create: (config, env) => definition.create(config as Config, env) };
}
