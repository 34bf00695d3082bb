import { afterEach, beforeEach, expect, it, type MockInstance, vi } from 'vitest';
import { chatAuditor } from '../../core/auditors/chat-auditor.js';
import { consoleDiagnostics, type Diagnostic } from '../../core/diagnostics.js';
import { createRuntime } from '../../core/runtime.js';
import { everyTurn } from '../../core/schedule.js';
import { says } from '../support/audited-run.js';
import { fails } from '../support/model-server/behaviours.js';
import { modelServer } from '../support/model-server.js';

let warn: MockInstance<typeof console.warn>;
let error: MockInstance<typeof console.error>;

beforeEach(() => {
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  error = vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
});

it('prints a warning once for its code', () => {
  const { report } = consoleDiagnostics();
  for (const runId of ['a', 'a', 'b']) report({ code: 'recorder-failed', message: 'disk full', runId });
  report({ code: 'schedule-failed', message: 'no' });
  expect(warn.mock.calls.map(([line]) => line)).toEqual([
    expect.stringContaining('[agentforesight] recorder-failed [run a]: disk full. Later ones'),
    expect.stringContaining('[agentforesight] schedule-failed: no. Later ones'),
  ]);
  expect(error).not.toHaveBeenCalled();
});

it('prints an error once in every run', () => {
  const { report } = consoleDiagnostics();
  for (const runId of ['a', 'b', 'a', 'b'])
    report({ code: 'x', message: 'bad key', severity: 'error', runId });
  expect(error.mock.calls.map(([line]) => line)).toEqual([
    '[agentforesight] x [run a]: bad key. Not printed again for this run.',
    '[agentforesight] x [run b]: bad key. Not printed again for this run.',
  ]);
  expect(warn).not.toHaveBeenCalled();
});

it('a refused key is an error, with what to do; a server that is down is a warning', async () => {
  const told: Diagnostic[] = [];
  const loud = consoleDiagnostics();
  const server = await modelServer(({ body }) =>
    JSON.stringify(body).includes('locked') ? fails(401, 'Incorrect API key: sk-secret-123') : fails(503),
  );
  const auditor = chatAuditor({
    baseURL: server.baseURL,
    model: 'tiny',
    apiKey: 'sk-secret-123',
    retries: 0,
  });
  const diagnostics = {
    report: (diagnostic: Diagnostic) => {
      told.push(diagnostic);
      loud.report(diagnostic);
    },
  };
  const runtime = createRuntime({ auditor, diagnostics, schedule: everyTurn() });
  for (const [runId, content] of Object.entries({ a: 'locked', b: 'locked', c: 'down' })) {
    const session = runtime.openSession({ runId, task: 'Sum.' });
    for (let turn = 0; turn < 2; turn++) await session.submit(says(content));
    await session.close({ status: 'completed' });
  }
  expect(told.map(({ code, severity }) => `${code} ${severity}`)).toEqual([
    ...Array(4).fill('audit-failure-auth error'),
    ...Array(2).fill('audit-failure-unavailable warning'),
  ]);
  expect(error).toHaveBeenCalledTimes(2);
  expect(error.mock.calls[0]?.[0]).toMatch(/401 Incorrect API key: \[key\]\. Check apiKey/);
  expect(warn).toHaveBeenCalledTimes(1);
  expect(JSON.stringify(told)).not.toContain('sk-secret');
});
