// Runs each plugin's tests against the lowest versions that the package accepts. They are installed once for each lock, in a
// cache folder; the checkout's own node_modules stay as they are. Arguments that name frameworks choose those, one after the
// other; the rest goes to vitest: `npm run test:lowest -- langgraph test/plugins/langgraph/halt.test.ts`.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

const here = import.meta.dirname;
const root = path.resolve(here, '../..');
const frameworks = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const args = process.argv.slice(2);
const named = frameworks.filter((framework) => args.includes(framework));
const options = args.filter((arg) => !frameworks.includes(arg));

const failed = (named.length > 0 ? named : frameworks).filter((framework) => !passes(framework));
if (failed.length > 0) {
  console.error(`lowest: failed for ${failed.join(', ')}`);
  process.exitCode = 1;
}

function passes(framework) {
  const { dependencies } = JSON.parse(readFileSync(path.join(here, framework, 'package.json'), 'utf8'));
  const versions = Object.entries(dependencies).map(([name, version]) => `${name} ${version}`);
  const installed = installedOnce(path.join(here, framework));
  if (installed === undefined) return false;
  console.log(`lowest versions for ${framework}: ${versions.join(', ')}`);
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const command = [vitest, 'run', '--config', path.join(here, 'vitest.config.ts'), ...options];
  const env = { ...process.env, AGENTFORESIGHT_LOWEST: installed, AGENTFORESIGHT_LOWEST_OF: framework };
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit', env });
  if (status === 0) console.log(`lowest: ok for ${framework} on ${versions.join(', ')}`);
  return status === 0;
}

/** @returns the folder that holds the node_modules of a framework's lock, or `undefined` if npm could not fill it */
function installedOnce(framework) {
  const lock = createHash('sha256').update(readFileSync(path.join(framework, 'package-lock.json')));
  const caches = process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache');
  const folder = path.join(caches, 'agentforesight', `lowest-${lock.digest('hex').slice(0, 16)}`);
  if (existsSync(folder)) return folder;
  mkdirSync(path.dirname(folder), { recursive: true });
  // Renamed when it is whole, so that an install that was cut short is never taken for one.
  const begun = mkdtempSync(`${folder}-`);
  try {
    for (const file of ['package.json', 'package-lock.json'])
      cpSync(path.join(framework, file), path.join(begun, file));
    const npm = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: begun,
      stdio: 'inherit',
    });
    if (npm.status !== 0) {
      console.error(
        `the lowest versions could not be installed: npm ci ended with ${npm.status ?? npm.error}`,
      );
      return undefined;
    }
    if (!existsSync(folder)) renameSync(begun, folder);
    return folder;
  } finally {
    rmSync(begun, { recursive: true, force: true });
  }
}
