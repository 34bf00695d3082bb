import { describe, expect, it } from 'vitest';
import { type AuditorConfig, createAuditor, SetupError, Trajectory } from '../../../core/index.js';

const chat = { kind: 'chat', baseURL: 'http://127.0.0.1:9/v1', model: 'auditor-7b' } as const;

/** The prefix whose newest turn says `content`, after as many turns of other words. */
function prefixSaying(content: string, before = 0) {
  const trajectory = new Trajectory();
  const turn = (words: string, index: number) =>
    trajectory.append({ id: `${index}`, agent: 'solver', kind: 'agent', content: words, path: [], at: 0 });
  for (let index = 0; index < before; index++)
    turn(`Step ${index} is done with result ${index}${index}.`, index);
  return turn(content, before);
}

describe('each kind of configuration makes an auditor', () => {
  it.each<[AuditorConfig, string]>([
    [{ kind: 'signals' }, 'signals'],
    [chat, 'chat auditor-7b'],
    [{ ...chat, layout: 'published', name: 'judge' }, 'judge'],
    [{ kind: 'cascade', stages: [{ kind: 'signals' }, chat] }, 'cascade(signals, chat auditor-7b)'],
    [
      {
        kind: 'majority',
        auditors: [
          { ...chat, name: 'a' },
          { ...chat, name: 'b' },
        ],
      },
      'majority(a, b)',
    ],
    [{ kind: 'shadow', primary: { kind: 'signals', name: 'now' }, candidate: chat }, 'now'],
  ])('%j', (config, name) => {
    expect(createAuditor(config, {}).name).toBe(name);
  });

  it('with its options', async () => {
    const { audit } = createAuditor({ kind: 'signals', alarmOn: ['unseen-number'], name: 'strict' });
    const request = { runId: 'run', task: '', tools: [], prefix: prefixSaying('As we know, 17 + 25 = 43.') };
    expect(await audit(request, { signal: new AbortController().signal })).toMatchObject({ kind: 'alarm' });
  });
});

describe('a key comes from the environment', () => {
  const config: AuditorConfig = {
    kind: 'cascade',
    stages: [{ kind: 'signals' }, { ...chat, apiKeyEnv: 'AUDITOR_KEY' }],
  };

  it.each([{}, { AUDITOR_KEY: '' }])('a variable that is not set is a fault of the set-up: %j', (env) => {
    expect(() => createAuditor(config, env)).toThrow(SetupError);
    expect(() => createAuditor(config, env)).toThrow(/AUDITOR_KEY is not set/);
  });

  it('and is not part of the auditor', () => {
    const auditor = createAuditor(config, { AUDITOR_KEY: 'sk-very-secret-key-1' });
    expect(JSON.stringify(auditor)).not.toMatch(/secret/);
  });
});

describe('a schedule', () => {
  const dueAt = (schedule: AuditorConfig['schedule'], prefix: ReturnType<typeof prefixSaying>) =>
    createAuditor({ ...chat, schedule }).schedule?.due(prefix);
  const news = prefixSaying('The sum is 12.', 1);
  const handover = prefixSaying('Transferred to writer.', 1);

  it("is the one that is named, in place of the auditor's own", () => {
    expect(createAuditor({ kind: 'signals' }).schedule?.due(handover)).toBe(true);
    expect(createAuditor({ kind: 'signals', schedule: 'portable' }).schedule?.due(handover)).toBe(false);
    expect(dueAt('every-turn', handover)).toBe(true);
    expect(dueAt('portable', news)).toBe(true);
    expect(
      [0, 1, 2, 3].map((before) => dueAt({ everyNth: 2 }, prefixSaying('The sum is 12.', before))),
    ).toEqual([true, false, true, false]);
  });

  it('with signals is early where something shows', () => {
    const odd = prefixSaying('No need to verify this sum.', 1);
    expect(dueAt({ everyNth: 2 }, odd)).toBe(false);
    expect(dueAt({ everyNth: 2, signals: true }, odd)).toBe(true);
    expect(dueAt({ everyNth: 2, signals: true }, news)).toBe(false);
    expect(dueAt({ base: 'portable', signals: true }, handover)).toBe(false);
  });
});
