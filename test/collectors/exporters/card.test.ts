import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DecisionCounts } from '../../../collectors/exporters/card/decision-counts.js';
import { type CardOptions, exportCard } from '../../../collectors/exporters/card.js';
import type { Sample } from '../../../collectors/sample.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { sampleOf, streamed } from '../support/samples.js';
import { unsafeSample } from '../support/unsafe-sample.js';

async function cardOf(samples: readonly Sample[], options: Partial<CardOptions> = {}): Promise<string> {
  const path = join(temporaryFolder(), 'README.md');
  expect(await exportCard(streamed(samples), path, { title: 'Runs', ...options })).toBe(samples.length);
  return readFileSync(path, 'utf8');
}

const provenance = { format: 'aftraj', source: 'x', licence: 'CC-BY-4.0' };

describe('exportCard', () => {
  test('counts by domain, label, source and split, by origin, and by group', async () => {
    const card = await cardOf([
      unsafeSample('a', 2, { split: 'train', group: 'g', provenance }),
      unsafeSample('b', 2, { split: 'train', group: 'g', provenance }),
      unsafeSample('c', 2, {
        split: 'test',
        group: 'h',
        provenance: {
          ...provenance,
          parent: 'd',
          fault: { category: 'wrong-tool', step: 2, method: 'live-replay' },
        },
      }),
      sampleOf('d', { label: { kind: 'safe' }, domain: 'coding' }),
    ]);
    expect(card).toContain('| math | unsafe | natural | train | 2 |');
    expect(card).toContain('| math | unsafe | natural | test | 1 |');
    expect(card).toContain('| coding | safe | – | none | 1 |');
    expect(card).toContain('| aftraj | CC-BY-4.0 | 3 |\n| test | not stated | 1 |');
    expect(card).toContain('| wrong-tool | live-replay | 1 |');
    expect(card).toContain('2 groups of runs that share a task, a history or a parent, the largest of 2;');
    expect(card).toContain('1 runs are in no group.');
    expect(card).toContain('4 runs of multi-agent systems, of 2 to 5 turns (median 5)');
  });

  test('begins with front matter that is YAML', async () => {
    const card = await cardOf([sampleOf('a', { provenance })], { title: 'Runs: "all" of them' });
    expect(card.split('---\n')[1]).toBe(`pretty_name: "Runs: \\"all\\" of them"
license: "cc-by-4.0"
task_categories: ["text-classification"]
tags: ["multi-agent","auditing","trajectories"]
size_categories: ["n<1K"]
`);
  });

  test('several licences are all named', async () => {
    const other = { ...provenance, licence: 'MIT' };
    const card = await cardOf([sampleOf('a', { provenance }), sampleOf('b', { provenance: other })]);
    expect(card).toContain('license: "other"\nlicense_name: "CC-BY-4.0, MIT"');
  });

  test('tells what every stage decided, and what it found', async () => {
    const decisions = new DecisionCounts();
    for (const verdict of ['keep', 'keep', 'drop'] as const)
      decisions.add({ rule: 'coherence', verdict, reason: verdict });
    const card = await cardOf([sampleOf('a')], {
      stages: [
        { name: 'filter', options: { judge: 'm' }, decisions: decisions.counts() },
        { name: 'probe', options: {}, found: { exactF1: 0.61, features: ['length'] }, decisions: [] },
      ],
      limits: ['Only math.'],
    });
    expect(card).toContain('| coherence | drop | drop | 1 |\n| coherence | keep | keep | 2 |');
    expect(card).toContain('"judge": "m"');
    expect(card).toContain('"exactF1": 0.61');
    expect(card.trimEnd().endsWith('- Only math.')).toBe(true);
  });

  test("what runs say of themselves is text, not the card's markup", async () => {
    const evil = '</td><script>x</script> | [a](http://b) `\n# H';
    const card = await cardOf(
      [sampleOf('a', { domain: evil, provenance: { ...provenance, format: evil } })],
      {
        stages: [{ name: 'filter', options: { evil: '```\n# H' }, decisions: [] }],
      },
    );
    expect(card).not.toMatch(/<script>|<\/td>|\[a\]\(http|^# H/m);
    expect(card.match(/```/g)).toHaveLength(2);
  });
});

describe('DecisionCounts', () => {
  test('tells a dozen reasons of a rule apart, and adds up the others', () => {
    const counts = new DecisionCounts();
    for (let at = 0; at < 30; at++) counts.add({ rule: 'r', verdict: 'drop', reason: `because ${at}` });
    expect(counts.counts()).toHaveLength(13);
    expect(counts.counts()[0]).toEqual({ rule: 'r', verdict: 'drop', reason: '(other reasons)', count: 18 });
  });
});
