// Runs the LangGraph plugin's tests against the lowest versions that the package accepts. They are installed once for each
// lock, in a cache folder; the checkout's own node_modules stay as they are. Arguments go to vitest.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

const here = import.meta.dirname;
const root = path.resolve(here, '../..');
const { dependencies } = JSON.parse(readFileSync(path.join(here, 'package.json'), 'utf8'));
const versions = Object.entries(dependencies).map(([name, version]) => `${name} ${version}`);

const installed = installedOnce();
console.log(`lowest versions: ${versions.join(', ')}`);
const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
const args = ['run', '--config', path.join(here, 'vitest.config.ts'), ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, [vitest, ...args], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, AGENTFORESIGHT_LOWEST: installed },
});
if (status === 0) console.log(`lowest: ok on ${versions.join(', ')}`);
process.exitCode = status ?? 1;

/** @returns the folder that holds the node_modules of this lock */
function installedOnce() {
  const lock = createHash('sha256').update(readFileSync(path.join(here, 'package-lock.json')));
  const caches = process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache');
  const folder = path.join(caches, 'agentforesight', `lowest-${lock.digest('hex').slice(0, 16)}`);
  if (existsSync(folder)) return folder;
  mkdirSync(path.dirname(folder), { recursive: true });
  // Renamed when it is whole, so that an install that was cut short is never taken for one.
  const begun = mkdtempSync(`${folder}-`);
  try {
    for (const file of ['package.json', 'package-lock.json'])
      cpSync(path.join(here, file), path.join(begun, file));
    const npm = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: begun,
      stdio: 'inherit',
    });
    if (npm.status !== 0) {
      console.error(
        `the lowest versions could not be installed: npm ci ended with ${npm.status ?? npm.error}`,
      );
      process.exit(1);
    }
    if (!existsSync(folder)) renameSync(begun, folder);
    return folder;
  } finally {
    rmSync(begun, { recursive: true, force: true });
  }
}
