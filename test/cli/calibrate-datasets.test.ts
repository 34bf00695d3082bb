import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { dataFolder } from '../collectors/support/data-folder.js';
import { runCli } from '../support/cli.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const aftraj = dataFolder('aftraj');

describe.runIf(aftraj !== undefined)('AFTraj-2K: calibrated on the healthy training rows', () => {
  test.each([0.05, 0.1])(
    'asked for %f, the healthy test rows alarm within the interval that was stated',
    async (far) => {
      const folder = aftraj as string;
      const out = path.join(temporaryFolder(), 'calibration.json');
      const paths = ['--runs', folder, '--check', folder, '--failed', folder];
      const { code, stdout } = await runCli(
        ...['calibrate', '--auditor', 'signals', '--far', String(far), '--out', out, '--json', ...paths],
      );
      expect(code).toBe(0);
      const { calibration, leftOut, heldOut, found } = JSON.parse(stdout);
      expect(calibration.runs).toMatchObject({ shape: 496, calibration: 497, tasks: 916 });
      expect(leftOut).toEqual({ 'of the test split': 332, failed: 951 });
      expect(calibration.runs.exceeding / 497).toBeLessThanOrEqual(far);
      expect(heldOut).toMatchObject({ runs: 169, isInInterval: true, isAsExpected: true });
      expect(found.injected.runs + found.natural.runs).toBe(951);
      expect(found.injected.exactStep / found.injected.runs).toBeGreaterThan(0.5);
    },
  );

  test('a dataset holds no scores of its own', async () => {
    const { code, stderr } = await runCli('calibrate', '--runs', aftraj as string);
    expect(stderr).toMatch(/holds runs without scores\. Say who shall give them, such as --auditor signals/);
    expect(code).toBe(2);
  });
});
