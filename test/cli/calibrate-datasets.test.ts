import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRuns } from '../../core/index.js';
import { dataFolder } from '../collectors/support/data-folder.js';
import { runCli } from '../support/cli.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const aftraj = dataFolder('aftraj');

describe.runIf(aftraj !== undefined)('AFTraj-2K: calibrated on the healthy training rows', () => {
  test('the healthy test rows alarm within the interval that was stated; a log spares the second audit', async () => {
    const folder = aftraj as string;
    const written = temporaryFolder();
    const files = [
      '--out',
      path.join(written, 'calibration.json'),
      '--log',
      path.join(written, 'audits.jsonl'),
    ];
    const paths = ['--runs', folder, '--check', folder, '--failed', folder];
    for (const far of [0.05, 0.1]) {
      const { code, stdout } = await runCli(
        ...['calibrate', '--auditor', 'signals', '--far', String(far), '--json', ...files, ...paths],
      );
      expect(code).toBe(0);
      const { calibration, leftOut, heldOut, found } = JSON.parse(stdout);
      expect(calibration).toMatchObject({ far, runs: { shape: 496, calibration: 497, tasks: 916 } });
      expect(leftOut).toEqual({ 'of the test split': 332, failed: 951 });
      expect(calibration.runs.exceeding / 497).toBeLessThanOrEqual(far);
      expect(heldOut).toMatchObject({ runs: 169, isInInterval: true, isAsExpected: true });
      expect(found.injected.runs + found.natural.runs).toBe(951);
      expect(found.injected.exactStep / found.injected.runs).toBeGreaterThan(0.5);
    }
    const audited = await Array.fromAsync(readRuns(path.join(written, 'audits.jsonl')));
    expect(audited).toHaveLength(993 + 169 + 951);
  }, 180_000);

  test('a dataset holds no scores of its own', async () => {
    const { code, stderr } = await runCli('calibrate', '--runs', aftraj as string);
    expect(stderr).toMatch(/holds runs without scores\. Say who shall give them, such as --auditor signals/);
    expect(code).toBe(2);
  });
});
