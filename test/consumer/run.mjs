// Packs the package, installs the tarball into fresh projects as a consumer would, type-checks and runs them: without a
// framework, as the author of a plugin, and with the newest and the oldest version of each framework that the peers allow.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const {
  dependencies: ours,
  devDependencies,
  peerDependencies,
} = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const workplace = mkdtempSync(path.join(tmpdir(), 'agentforesight-consumer-'));
const run = (command, args, cwd) =>
  execFileSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });

try {
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', workplace], root));
  const unwanted = packed.files.filter(
    ({ path: file }) =>
      !/^(dist\/|docs\/|examples\/|package\.json$|README\.md$|LICENSE$|CHANGELOG\.md$)/.test(file),
  );
  assert.deepEqual(unwanted, [], 'the tarball holds the build, its papers and the examples only');
  const tarball = path.join(workplace, packed.filename);

  const core = project('core-only', {}, { skipLibCheck: false });
  process.stdout.write(run('node', ['main.js'], core));
  assert.match(
    run('npx', ['--no-install', 'agentforesight', 'audit', 'runs.jsonl'], core),
    /1 run in 1 file/,
  );
  const demo = spawnSync('npx', ['--no-install', 'agentforesight', 'demo'], { cwd: core, encoding: 'utf8' });
  assert.equal(demo.status, 2, 'without LangGraph the demo says what to install');
  assert.match(demo.stderr, /npm install @langchain\/langgraph @langchain\/core/);

  const absent = { langgraph: '@langchain', mastra: '@mastra', 'openai-agents': '@openai', 'ai-sdk': 'ai' };
  for (const [subpath, framework] of Object.entries(absent)) {
    const code = `await import('agentforesight/${subpath}')`;
    const imported = spawnSync('node', ['--input-type=module', '-e', code], { cwd: core, encoding: 'utf8' });
    assert.equal(imported.status, 1, `agentforesight/${subpath} loads without its framework`);
    assert.match(imported.stderr, new RegExp(`Cannot find package '${framework}`));
  }

  const outsider = project('own-plugin', {}, { skipLibCheck: false });
  const tested = run('node', ['--test', '--test-reporter=tap', 'contract.js'], outsider);
  const [, passed] = /^# pass (\d+)$/m.exec(tested) ?? [];
  const [, skipped] = /^# skipped (\d+)$/m.exec(tested) ?? [];
  assert(Number(passed) > 50 && Number(skipped) > 10, tested);
  console.log(`a plugin of one's own: ok, ${passed} passed, ${skipped} skipped with a reason`);

  const frameworks = {
    langgraph: ['@langchain/core', '@langchain/langgraph'],
    mastra: ['@mastra/core'],
    'openai-agents': ['@openai/agents'],
    'ai-sdk': ['ai'],
  };
  const lowestOf = (peer) => /^>=(\S+)/.exec(peerDependencies[peer])[1];
  for (const [framework, peers] of Object.entries(frameworks)) {
    const newest = peers.map((name) => [name, devDependencies[name]]);
    const lowest = peers.map((name) => [name, lowestOf(name)]);
    // Where both are the same version, once is enough.
    const both = String(newest) === String(lowest) ? { newest } : { newest, lowest };
    for (const [name, versions] of Object.entries(both)) {
      const options = { from: `with-${framework}`, skipLibCheck: true };
      const dependencies = { ...Object.fromEntries(versions), zod: ours.zod };
      const consumer = project(`with-${framework}-${name}`, dependencies, options);
      console.log(`on ${versions.map((version) => version.join(' ')).join(', ')}:`);
      process.stdout.write(run('node', ['main.js'], consumer));
      if (framework !== 'langgraph') continue;
      const demo = run('npx', ['--no-install', 'agentforesight', 'demo'], consumer);
      assert.match(demo, /audit alarm at step 6/);
    }
  }

  console.log('consumer: ok');

  function project(name, dependencies, { from = name, ...options }) {
    const folder = path.join(workplace, name);
    cpSync(path.join(import.meta.dirname, from), folder, { recursive: true });
    const types = { '@types/node': devDependencies['@types/node'] };
    const manifest = {
      type: 'module',
      private: true,
      dependencies: { agentforesight: `file:${tarball}`, ...dependencies, ...types },
    };
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      target: 'es2024',
      lib: ['es2024', 'esnext'],
      module: 'nodenext',
      types: ['node'],
      ...options,
    };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], folder);
    run(path.join(root, 'node_modules/.bin/tsc'), ['-p', folder], folder);
    return folder;
  }
} finally {
  rmSync(workplace, { recursive: true, force: true });
}
