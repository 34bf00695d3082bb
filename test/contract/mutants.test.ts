import { describe, expect, test, vi } from 'vitest';
import type { Clause, Subject } from './clause.js';
import { contract } from './index.js';
import { langGraph, manual } from './mutants/mutation.js';
import { mutants } from './mutants.js';

// LangChain prints every throw of a callback handler.
vi.spyOn(console, 'error').mockImplementation(() => {});

/** What of these checks a subject fails. */
async function failedBy(subject: Subject, { checks }: Clause, names: readonly string[]): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of checks) {
    if (names.includes(name)) await run(subject).catch(() => failed.push(name));
  }
  return failed;
}

const original = ({ harness }: Subject) =>
  harness.plugin.framework === manual.harness.plugin.framework ? manual : langGraph;

describe.each(contract)('$name', (clause) => {
  const ours = mutants[clause.name] ?? [];

  test.each(ours)('catches a plugin that $does', async ({ fails, subject }) => {
    expect((await failedBy(subject, clause, fails)).toSorted()).toEqual(fails.toSorted());
    expect(await failedBy(original(subject), clause, fails), 'the plugin itself passes').toEqual([]);
  });

  test('no check goes soft: each is failed by a plugin that is broken for it', () => {
    const failing = new Set(ours.flatMap(({ fails }) => fails));
    expect(clause.checks.map(({ name }) => name).filter((name) => !failing.has(name))).toEqual([]);
  });
});
