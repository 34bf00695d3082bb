import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AuditError, type AuditNote, createRuntime, jsonlRecorder } from '../../../core/index.js';
import { runCli } from '../../support/cli.js';
import { observedLog, sayingAuditor } from '../../support/observed-log.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** What an agent, an auditor or a model may say to whoever opens the page. */
const HOSTILE = [
  '</pre><script>alert(1)</script>',
  '"><img src=x onerror=alert(2)>',
  "' onmouseover='alert(3)",
  '<a href="javascript:alert(4)">here</a>',
  '<style>@import url(https://evil.example/x.css)</style>',
  '&lt;b&gt; \u0000\u001b[2J \ud800 \u202egnp.exe',
].join('\n');

async function pageOf(
  ...args: string[]
): Promise<{ html: string; file: string; code: number | null; stderr: string }> {
  const file = path.join(temporaryFolder(), 'report.html');
  const { code, stderr } = await runCli('report', '--html', file, ...args);
  return { html: fs.readFileSync(file, 'utf8'), file, code, stderr };
}

let hostile: string;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'agentforesight-html-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

beforeAll(async () => {
  const call: AuditNote = {
    type: 'call',
    purpose: 'verdict',
    model: HOSTILE,
    attempts: 1,
    inputTokens: 9,
    durationMs: 1,
  };
  const opinion: AuditNote = {
    type: 'opinion',
    auditor: HOSTILE,
    verdict: { kind: 'continue' },
    durationMs: 1,
  };
  const alarm = { kind: 'alarm', step: 1, agent: HOSTILE, reason: HOSTILE, score: 0.5 } as const;
  const log = await observedLog(
    folder,
    {
      [HOSTILE]: {
        turns: [
          { agent: HOSTILE, kind: 'agent', content: HOSTILE, thought: HOSTILE, handoffTo: HOSTILE },
          { agent: HOSTILE, kind: 'tool', content: HOSTILE, toolName: HOSTILE },
        ],
      },
      other: { turns: [{ agent: 'solver', kind: 'agent', content: 'down' }] },
    },
    {
      [HOSTILE]: { verdict: alarm, notes: [call, opinion] },
      down: { failure: new AuditError('refused', HOSTILE) },
    },
  );
  const file = path.join(folder, 'report.html');
  await runCli('report', '--html', file, log);
  hostile = fs.readFileSync(file, 'utf8');
  expect(hostile).toContain('alert(1)');
});

it('no text of agents, auditors or models is markup', () => {
  const tags = new Set([...hostile.matchAll(/<\/?([a-z][a-z0-9]*)/gi)].map(([, tag]) => tag?.toLowerCase()));
  for (const forbidden of ['script', 'img', 'a', 'iframe', 'link', 'object', 'b>'])
    expect(tags).not.toContain(forbidden);
  expect(hostile.match(/<style>/g)?.length).toBe(hostile.match(/<\/style>/g)?.length);
  // Attributes, as a browser would read them.
  const attributes = [...hostile.matchAll(/<[a-z][^>]*>/gi)].map(([tag]) => tag);
  expect(attributes.filter((tag) => /\son\w+=|javascript:/i.test(tag))).toEqual([]);
  expect(hostile).not.toMatch(/[\p{Cc}--[\n]]|\p{Bidi_Control}/v);
});

it('it runs nothing and fetches nothing', () => {
  expect(hostile).toMatch(
    /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'/,
  );
  const markup = hostile.replaceAll('xmlns="http://www.w3.org/2000/svg"', '');
  const tags = [...markup.matchAll(/<[a-z][^>]*>/gi)].map(([tag]) => tag);
  expect(tags.filter((tag) => /\s(src|href|data|action|poster|srcset)=|https?:/i.test(tag))).toEqual([]);
  const styles = [...markup.matchAll(/<style>(.*?)<\/style>/gs)].map(([, style]) => style);
  expect(styles.length).toBeGreaterThan(1);
  expect(styles.filter((style) => /url\(|@import/.test(style as string))).toEqual([]);
});

it('each alarm stands with the turns around the blamed one, which is marked', async () => {
  const turns = Array.from({ length: 9 }, (_, at) => ({
    agent: 'solver',
    kind: 'agent' as const,
    content: `Sum ${at}.`,
  }));
  const alarm = { kind: 'alarm', step: 4, agent: 'solver', reason: 'Wrong sum.' } as const;
  const log = await observedLog(temporaryFolder(), { bad: { turns } }, { 'Sum 7.': { verdict: alarm } });
  const { html } = await pageOf(log);
  const shown = [...html.matchAll(/<div class="turn( blamed)?">.*?(\d+) · solver.*?<pre>(.*?)<\/pre>/gs)];
  expect(shown.map(([, blamed, step, text]) => [step, blamed === undefined ? '' : 'blamed', text])).toEqual([
    ['2', '', 'Sum 1.'],
    ['3', '', 'Sum 2.'],
    ['4', 'blamed', 'Sum 3.'],
    ['5', '', 'Sum 4.'],
    ['6', '', 'Sum 5.'],
    ['8', '', 'Sum 7.'],
  ]);
  expect(html).toContain(
    '<h1>1 of 1 run would have been halted: 100.0 % (95 % interval 2.5 to 100.0 %)</h1>',
  );
  for (const plot of ['Alarms, by the step that they blame', 'How long audits took'])
    expect(html).toContain(plot);
  expect(html).not.toContain('What auditing cost');
});

it('of very many alarms it shows some, and says how many more there are', async () => {
  const file = path.join(temporaryFolder(), 'runs.jsonl');
  const recorder = jsonlRecorder(file);
  const alarm = { kind: 'alarm', step: 1, agent: 'solver', reason: 'Wrong sum.' } as const;
  const auditor = sayingAuditor({ sum: { verdict: alarm } });
  const runtime = createRuntime({ recorder, auditor, onAlarm: 'observe' });
  await Promise.all(
    Array.from({ length: 203 }, async (_, at) => {
      const session = runtime.openSession({ runId: `run ${at}`, task: '' });
      await session.submit({ agent: 'solver', kind: 'agent', content: 'sum' });
      await session.close({ status: 'completed' });
    }),
  );
  await recorder.close();
  const { html } = await pageOf(file);
  expect(html.match(/class="reason"/g)).toHaveLength(200);
  expect(html).toMatch(/and 3 that only/);
});

it('is as private as the log, and never takes its place', async () => {
  const log = await observedLog(temporaryFolder(), {
    one: { turns: [{ agent: 'a', kind: 'agent', content: 'x' }] },
  });
  const before = fs.readFileSync(log, 'utf8');
  const { file } = await pageOf(log);
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  const { code, stderr } = await runCli('report', '--html', log, log);
  expect(stderr).toMatch(/is read here, and --html would write into it/);
  expect(code).toBe(2);
  expect(fs.readFileSync(log, 'utf8')).toBe(before);
  const nowhere = await runCli('report', '--html', path.join(log, 'page.html'), log);
  expect(nowhere.stderr).toMatch(/cannot be written/);
  expect(nowhere.code).toBe(3);
});
