import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Study } from '../../../bench/closed-loop/study.js';
import { runCli, startCli } from '../../support/cli.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

function configFile(config: object): string {
  const file = path.join(temporaryFolder(), 'team.json');
  fs.writeFileSync(file, JSON.stringify(config));
  return file;
}

const SMALL = {
  tasks: 400,
  checkedTasks: 10,
  auditors: [
    { name: 'sharp', recall: 1, falseAlarmRate: 0 },
    { name: '<b>loud</b>', recall: 0.5, falseAlarmRate: 0.5 },
  ],
  plane: { recalls: [0.1, 0.9], falseAlarmRates: [0, 0.01], delays: [1], attribution: 1 },
};

test('what each auditor brings under each policy, and up to which false-alarm rate it pays', async () => {
  const { code, stdout, stderr } = await runCli(
    'bench',
    'closed-loop',
    '--config',
    configFile(SMALL),
    '--json',
  );
  expect([code, stderr]).toEqual([0, '']);
  const { auditors, breakEven, check } = JSON.parse(stdout) as Study;
  const solvedBy = (name: string) =>
    Object.fromEntries(
      auditors
        .find(({ point }) => point.name === name)
        ?.summaries.map(({ policy, solved }) => [policy, solved.mean]) ?? [],
    );
  const sharp = solvedBy('sharp');
  // It stops runs too whose fault a later step would have repaired.
  expect(sharp['halt']).toBeLessThan(sharp['none'] as number);
  expect(sharp['halt']).toBeGreaterThan((sharp['none'] as number) - 0.1);
  expect(sharp['rerun']).toBeGreaterThan((sharp['none'] as number) + 0.05);
  expect(sharp['recover']).toBeGreaterThan(sharp['rerun'] as number);
  expect(solvedBy('<b>loud</b>')['recover']).toBeLessThan(0.05);
  const rates = breakEven
    .filter(({ policy, rival }) => policy === 'recover' && rival === 'none')
    .map(({ upTo }) => (upTo.pays === 'up to' ? upTo.rate : Number.NaN));
  expect(rates[1]).toBeGreaterThan(rates[0] as number);
  expect(check).toEqual({ outcomes: 60, equal: 60 });
});

test('the page shows a hostile name as text, and fetches nothing', async () => {
  const html = path.join(temporaryFolder(), 'loop.html');
  const { stdout } = await runCli('bench', 'closed-loop', '--config', configFile(SMALL), '--html', html);
  expect(stdout).toContain('60 of 60 tasks that were run through the real runtime ended alike');
  const page = fs.readFileSync(html, 'utf8');
  expect(page).toContain('&lt;b&gt;loud');
  expect(page).not.toMatch(/<b>|<script|https?:\/\/(?!www\.w3\.org)/);
  expect(page.match(/<svg/g)).toHaveLength(3);
});

test.each([
  ['a field out of range', { team: { failureRate: 2 } }, '(team.failureRate)'],
  ['a field that there is none of', { teams: {} }, 'teams'],
  ['a team that cannot be', { team: { failureRate: 0.9, steps: 1, persistence: 0.1 } }, 'above persistence'],
])('%s is told in one line', async (_what, config, told) => {
  const { code, stderr } = await runCli('bench', 'closed-loop', '--config', configFile(config));
  expect(code).toBe(2);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(stderr).toContain(told);
});

test('Ctrl-C ends it with 130, and nothing is written', async () => {
  const html = path.join(temporaryFolder(), 'loop.html');
  const config = configFile({ tasks: 100_000, checkedTasks: 0 });
  const child = startCli(['bench', 'closed-loop', '--config', config, '--html', html]);
  setTimeout(() => child.kill('SIGINT'), 3_000);
  const [said, code] = await Promise.all([
    Array.fromAsync(child.stderr, String),
    new Promise((resolve) => child.once('close', resolve)),
  ]);
  expect(code).toBe(130);
  expect(said.join('')).toContain('stopped; nothing was written');
  expect(fs.existsSync(html)).toBe(false);
}, 60_000);
