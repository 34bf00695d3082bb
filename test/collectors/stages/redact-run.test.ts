import { expect, it } from 'vitest';
import type { RecordedRun } from '../../../collectors/recorded-run.js';
import { redactedRun } from '../../../collectors/stages/ingest/redact-run.js';
import { secretRedactor } from '../../../core/index.js';

const run = (args: { readonly [name: string]: string }): RecordedRun => ({
  runId: 'run',
  source: 'test',
  task: 'Log in.',
  tools: [{ name: 'login', description: 'Logs in.' }],
  turns: [
    {
      id: 'turn',
      agent: 'solver',
      kind: 'agent',
      content: '',
      toolCalls: [{ id: 'call', name: 'login', args }],
      action: `[{"name": "login", "arguments": ${JSON.stringify(args)}}]`,
    },
  ],
  quirks: [],
});

it('a secret that is known by its field goes from the raw action, too, where it would not be known', () => {
  const { run: kept, isRedacted } = redactedRun(run({ user: 'ann', password: 'tulip' }), secretRedactor());
  expect(isRedacted).toBe(true);
  expect(JSON.stringify(kept)).not.toContain('tulip');
  expect(kept.turns[0]).toMatchObject({
    id: 'turn',
    toolCalls: [{ id: 'call', name: 'login', args: { user: 'ann', password: '[redacted:password]' } }],
  });
});

it('a run without secrets is the very same', () => {
  const clean = run({ user: 'ann' });
  expect(redactedRun(clean, secretRedactor())).toEqual({ run: clean, isRedacted: false });
  expect(redactedRun(clean, secretRedactor()).run).toBe(clean);
});
