import { readFile } from 'node:fs/promises';
import { fieldPath } from '../../collectors/importers/validate.js';
import { type Auditor, type Environment, InputError, messageOf, SetupError } from '../../core/index.js';
import type { Protocol } from '../protocol.js';
import type { BackboneConfig, Baseline } from './baseline.js';

export interface OpenBaseline {
  readonly baseline: Baseline;
  /** Defaults filled in. It holds no key. */
  readonly config: BackboneConfig;
  readonly auditor: Auditor;
}

export interface BaselineRequest {
  readonly name: string;
  /** JSON; its fields are told in docs/bench/baselines.md. */
  readonly configFile: string;
  readonly protocol: Protocol;
  readonly env: Environment;
}

/**
 * @param known of which one is to be opened
 * @throws SetupError for an unknown name, a protocol that the method cannot be walked under, a key that is not set
 * @throws InputError naming the configuration's file and field
 */
export async function readBaseline(
  known: readonly Baseline[],
  { name, configFile, protocol, env }: BaselineRequest,
): Promise<OpenBaseline> {
  const baseline = known.find((one) => one.name === name);
  if (!baseline) {
    const names = known.map((one) => one.name).join(', ');
    throw new SetupError('bench', `there is no baseline ${JSON.stringify(name)}`, `Known are ${names}`);
  }
  if (!baseline.protocols.includes(protocol)) {
    const able = baseline.protocols.join(', ');
    const what = `${name} cannot be walked under the protocol ${protocol}`;
    throw new SetupError('bench', what, `It can under ${able}: docs/bench/baselines.md says why`);
  }
  const config = checked(baseline, await readJson(configFile), configFile);
  return { baseline, config, auditor: baseline.create(config, env) };
}

function checked({ name, configSchema }: Baseline, value: unknown, file: string): BackboneConfig {
  const { success, data, error } = configSchema.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  throw new InputError(
    { file, field: fieldPath([...(issue?.path ?? []), ...unknown]) || undefined },
    unknown.length > 0 ? `${name} has no such field` : (issue?.message ?? 'wrong shape'),
    'The fields are told in docs/bench/baselines.md',
  );
}

async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new InputError({ file }, `cannot be read: ${messageOf(cause)}`, 'Check the path', { cause });
  });
  try {
    return JSON.parse(text);
  } catch {
    throw new InputError({ file }, 'is no JSON', 'Repair it');
  }
}
