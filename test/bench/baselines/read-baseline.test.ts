import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { baselines, readBaseline } from '../../../bench/baselines/index.js';
import type { Protocol } from '../../../bench/protocol.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const SERVED = { baseURL: 'http://127.0.0.1:8000/v1', model: 'tiny' };

async function reading(name: string, config: unknown, { protocol = 'post-hoc' as Protocol, env = {} } = {}) {
  const configFile = path.join(temporaryFolder(), 'config.json');
  await writeFile(configFile, typeof config === 'string' ? config : JSON.stringify(config));
  return readBaseline(baselines, { name, configFile, protocol, env });
}

describe('a baseline', () => {
  it.each(baselines)(
    '$name needs no more than a server and a model, and tells what else it takes',
    async ({ name, protocols }) => {
      const [protocol = 'strict'] = protocols;
      const { baseline, config, auditor } = await reading(name, SERVED, { protocol });
      expect(baseline.name).toBe(name);
      expect(config).toMatchObject(SERVED);
      expect(Object.keys(config).length).toBeGreaterThan(4);
      expect(auditor.name).toBe(`${name} tiny`);
    },
  );

  it('is listed once', () => {
    expect(baselines.map(({ name }) => name)).toEqual([
      'zero-shot',
      'perplexity',
      'tree-of-thoughts',
      'reflexion',
      'agent-debug',
    ]);
  });

  it.each([
    [
      'agent-debug',
      'strict',
      /agent-debug cannot be walked under the protocol strict\. It can under post-hoc/,
    ],
    ['agent-debug', 'official', /under post-hoc/],
    ['perplexity', 'post-hoc', /under strict, official/],
  ] as const)('%s is refused under %s', async (name, protocol, message) => {
    await expect(reading(name, SERVED, { protocol })).rejects.toThrow(message);
  });

  it('is refused by a name that none has', async () => {
    const message = /there is no baseline "oracle"\. Known are zero-shot, perplexity/;
    await expect(reading('oracle', SERVED)).rejects.toThrow(message);
  });

  it.each<[string, unknown, RegExp]>([
    [
      'a field is unknown',
      { ...SERVED, trails: 3 },
      /config\.json \(trails\): reflexion has no such field\. The fields are told in docs\/bench/,
    ],
    [
      'a key is written out',
      { ...SERVED, apiKey: 'sk-abcdef0123456789' },
      /\(apiKey\): reflexion has no such field/,
    ],
    [
      'a key stands where its name should',
      { ...SERVED, apiKeyEnv: 'sk-abcdef0123456789' },
      /\(apiKeyEnv\): expected the name of an environment variable/,
    ],
    ['a value is out of range', { ...SERVED, trials: 0 }, /\(trials\)/],
    ['there is no model', { baseURL: SERVED.baseURL }, /\(model\)/],
    ['the file is no JSON', '{"model": sk-abcdef0123456789}', /is no JSON/],
    [
      'there is no room for a run',
      { ...SERVED, contextTokens: 4_096 },
      /contextTokens 4096 leaves too little/,
    ],
  ])('is refused in one line, without the key, where %s', async (_, config, message) => {
    const refused = await reading('reflexion', config).then(
      () => expect.unreachable(),
      (cause: Error) => cause,
    );
    expect(refused.message).toMatch(message);
    expect(refused.message).not.toContain('\n');
    expect(refused.message + String(refused.cause)).not.toContain('sk-abc');
  });

  it('takes its key from the variable that is named', async () => {
    const config = { ...SERVED, apiKeyEnv: 'MODEL_KEY' };
    await expect(reading('reflexion', config)).rejects.toThrow(/MODEL_KEY is not set/);
    const { auditor, config: read } = await reading('reflexion', config, {
      env: { MODEL_KEY: 'sk-abcdef0123456789' },
    });
    expect(auditor.name).toBe('reflexion tiny');
    expect(JSON.stringify(read)).not.toContain('sk-abc');
  });

  it('says that a file is not there', async () => {
    const asked = { name: 'reflexion', configFile: '/nowhere.json', protocol: 'strict', env: {} } as const;
    await expect(readBaseline(baselines, asked)).rejects.toThrow(/nowhere\.json: cannot be read/);
  });
});
