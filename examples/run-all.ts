// Runs every example as a process of its own; each asserts its own result.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';

const examples = readdirSync(import.meta.dirname).filter((file) => /^\d\d-.*\.ts$/.test(file));
for (const example of examples.sort()) {
  console.log(`— ${example}`);
  const file = path.join(import.meta.dirname, example);
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', file], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
console.log(`${examples.length} examples: ok`);
