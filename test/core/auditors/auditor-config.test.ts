import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { InputError, readAuditorConfig } from '../../../core/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

function configFile(config: unknown): string {
  const file = path.join(temporaryFolder(), 'auditor.json');
  fs.writeFileSync(file, typeof config === 'string' ? config : JSON.stringify(config));
  return file;
}

async function refusal(config: unknown): Promise<InputError> {
  const error = await readAuditorConfig(configFile(config)).catch((cause: unknown) => cause);
  if (error instanceof InputError) return error;
  throw new Error(`expected an InputError, got ${JSON.stringify(error)}`);
}

const chat = { kind: 'chat', baseURL: 'http://localhost:8000/v1', model: 'auditor-7b' };

describe('a configuration that is read', () => {
  it('comes back as it was written, nested to any depth', async () => {
    const config = {
      kind: 'shadow',
      sampleRate: 0.1,
      name: 'careful',
      schedule: { everyNth: 3, signals: true },
      primary: {
        kind: 'cascade',
        stages: [
          { kind: 'signals', alarmOn: ['tool-failure'] },
          { ...chat, apiKeyEnv: 'AUDITOR_KEY' },
        ],
      },
      candidate: {
        kind: 'majority',
        auditors: [
          { ...chat, layout: 'append-only', contextTokens: 32_000, extraBody: { seed: 1, stop: ['x'] } },
          { ...chat, layout: 'published', prices: { input: 0.2, cachedInput: 0.02, output: 0.6 } },
        ],
      },
    };
    expect(await readAuditorConfig(configFile(config))).toEqual(config);
  });
});

describe('a configuration that is refused: what, and in which field', () => {
  it.each([
    [{ kind: 'chatty' }, 'kind', /kind is one of signals, chat, cascade, majority, shadow/],
    [[], undefined, /kind is one of/],
    [{ kind: 'cascade', stages: [{ kind: 'signals' }, { ...chat, model: '' }] }, 'stages[1].model', /./],
    [{ kind: 'cascade', stages: [{ kind: 'signals' }] }, 'stages', /./],
    [{ kind: 'shadow', primary: { kind: 'signals' } }, 'candidate', /kind is one of/],
    [{ ...chat, temprature: 1 }, 'temprature', /no such field/],
    [{ ...chat, baseURL: 'localhost' }, 'baseURL', /expected a URL/],
    [{ ...chat, layout: 'published', turnTokens: 500 }, 'layout', /go with append-only/],
    [{ kind: 'signals', schedule: 'sometimes' }, 'schedule', /"everyNth": 3/],
    [{ kind: 'signals', alarmOn: ['hunch'] }, 'alarmOn[0]', /./],
  ])('%j', async (config, field, what) => {
    const { location, message } = await refusal(config);
    expect(location.field).toBe(field);
    expect(message).toMatch(what);
  });

  it('no JSON, by line', async () => {
    expect((await refusal('{"kind": "signals",\n x}')).location.line).toBe(2);
  });

  it('no file', async () => {
    await expect(readAuditorConfig('/nowhere/auditor.json')).rejects.toThrow(/does not exist/);
  });
});

describe('a key is refused wherever it stands, with the remedy, and never quoted', () => {
  const key = 'sk-proj-A1b2C3d4E5f6G7h8I9j0';

  it.each([
    [{ ...chat, apiKey: 'whatever' }, 'apiKey'],
    [{ ...chat, apiKeyEnv: key }, 'apiKeyEnv'],
    [{ ...chat, extraBody: { headers: { Authorization: 'x' } } }, 'extraBody.headers.Authorization'],
    [{ ...chat, baseURL: 'https://me:hunter22@host/v1' }, 'baseURL'],
    [{ kind: 'cascade', stages: [{ kind: 'signals' }, { ...chat, token: 'abc' }] }, 'stages[1].token'],
  ])('%j', async (config, field) => {
    const { location, message } = await refusal(config);
    expect(location.field).toBe(field);
    expect(message).toMatch(/"apiKeyEnv"/);
    expect(message).not.toMatch(/sk-proj|hunter22|whatever/);
  });

  it('a key of unknown shape in place of the variable', async () => {
    const { location, message } = await refusal({ ...chat, apiKeyEnv: '0123456789abcdef' });
    expect(location.field).toBe('apiKeyEnv');
    expect(message).toMatch(/name of an environment variable/);
    expect(message).not.toMatch(/0123456789abcdef/);
  });
});
