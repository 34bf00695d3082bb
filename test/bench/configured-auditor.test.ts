import { expect, it } from 'vitest';
import { configuredAuditor } from '../../bench/configured-auditor.js';
import type { AuditorConfig } from '../../core/index.js';

const chat = { kind: 'chat', baseURL: 'http://127.0.0.1:8000/v1', model: 'auditor-7b' } as const;
const over = (config: AuditorConfig): AuditorConfig => ({
  kind: 'cascade',
  stages: [{ kind: 'signals' }, config],
});
const digest = (config: AuditorConfig) => configuredAuditor(config, { KEY: 'k' }).auditorDigest;

it.each<[string, Partial<typeof chat> & object]>([
  ['a server on another port', { baseURL: 'http://127.0.0.1:9000/v1' } as object],
  ['more patience', { retries: 5, concurrency: 64, breaker: { failures: 2 } } as object],
  ['a key', { apiKeyEnv: 'KEY' } as object],
  ['prices', { prices: { input: 1, output: 2 } } as object],
])('%s makes no other auditor, also within a cascade', (_, changes) => {
  expect(digest({ ...chat, ...changes })).toBe(digest(chat));
  expect(digest(over({ ...chat, ...changes }))).toBe(digest(over(chat)));
});

it.each([
  ['another model', { model: 'auditor-14b' }],
  ['another layout', { layout: 'published' as const }],
  ['a seed', { extraBody: { seed: 1 } }],
  ['votes', { votes: 3 }],
])('%s makes another auditor, also within a cascade', (_, changes) => {
  expect(digest({ ...chat, ...changes })).not.toBe(digest(chat));
  expect(digest(over({ ...chat, ...changes }))).not.toBe(digest(over(chat)));
});

it('names the models that are asked', () => {
  expect(configuredAuditor({ kind: 'signals' }).model).toBeUndefined();
  expect(configuredAuditor(over(chat)).model).toBe('auditor-7b');
  const majority: AuditorConfig = { kind: 'majority', auditors: [chat, { ...chat, model: 'other' }, chat] };
  expect(configuredAuditor(majority).model).toBe('auditor-7b + other');
  const shadow: AuditorConfig = { kind: 'shadow', primary: chat, candidate: { ...chat, model: 'new' } };
  expect(configuredAuditor(shadow).model).toBe('auditor-7b');
});
