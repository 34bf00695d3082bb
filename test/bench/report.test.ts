import { describe, expect, test } from 'vitest';
import type { Prediction } from '../../bench/prediction.js';
import type { Protocol } from '../../bench/protocol.js';
import { benchReport, reportJson, reportMarkdown, reportPage } from '../../bench/report.js';
import { scorePredictions } from '../../bench/score.js';
import type { ScoredWalk, WalkKind } from '../../bench/tables/scored-walk.js';

const DOMAINS = ['math', 'coding', 'agentic'];

/** Runs of AFTraj's domains, half of them unsafe at step 2; `found` of these are found, and `flagged` safe ones flagged. */
function predictions(found: number, flagged: number, dataset = 'aftraj', runs = 60): Prediction[] {
  return Array.from({ length: runs }, (_, at) => {
    const isUnsafe = at % 2 === 0;
    const rank = Math.floor(at / 2);
    const isAlarm = rank < (isUnsafe ? found : flagged);
    return {
      truth: {
        runId: `run ${at}`,
        dataset,
        domain: DOMAINS[at % 3],
        split: 'test' as const,
        group: `task ${at}`,
        turns: 5,
        label: isUnsafe
          ? {
              kind: 'unsafe' as const,
              step: 2,
              agent: 'solver',
              source: at % 4 === 0 ? ('natural' as const) : ('injected' as const),
            }
          : { kind: 'safe' as const },
      },
      audits: [
        {
          step: 2,
          verdict: isAlarm
            ? { kind: 'alarm' as const, step: 2, agent: 'solver', reason: '' }
            : { kind: 'continue' as const },
          ms: 3,
          calls: [],
        },
      ],
    };
  });
}

function walk(
  method: string,
  kind: WalkKind,
  [found, flagged]: readonly [number, number],
  {
    backbone,
    protocol = 'strict',
    dataset,
  }: { backbone?: string; protocol?: Protocol; dataset?: string } = {},
): ScoredWalk {
  const scores = scorePredictions(predictions(found, flagged, dataset), { resamples: 200 });
  return { method, kind, backbone, protocol, scores };
}

const FLOOR = walk('no-text-probe', 'floor', [16, 1]);
const GOOD = walk('good', 'auditor', [30, 0]);
const POOR = walk('poor', 'auditor', [2, 20]);

const rowsOf = (title: RegExp, walks: readonly ScoredWalk[]) =>
  reportJson(benchReport(walks)).tables.find((table) => title.test(table.title))?.rows ?? [];

describe('what the figures show', () => {
  test('an auditor is above or below the best floor only where the intervals do not touch', () => {
    const weak = walk('always-later', 'floor', [0, 0]);
    const { findings } = benchReport([POOR, GOOD, weak, FLOOR]);
    expect(findings.map(({ method, against, floor }) => [method, against, floor?.method])).toEqual([
      ['poor', 'below', 'no-text-probe'],
      ['good', 'above', 'no-text-probe'],
    ]);
    const alike = benchReport([walk('alike', 'auditor', [17, 1]), FLOOR]).findings[0];
    expect(alike?.against).toBe('not told apart');
  });

  test('a floor of another protocol is none', () => {
    const official = walk('good', 'auditor', [30, 0], { protocol: 'official' });
    const [finding] = benchReport([official, FLOOR]).findings;
    expect(finding?.against).toBe('no floor');
    expect(reportMarkdown(benchReport([official, FLOOR]))).toContain(
      'no floor walked beside it, which says nothing',
    );
  });

  test('the deployable region is the paper’s', () => {
    const [poor, good] = benchReport([POOR, GOOD]).findings;
    expect([poor?.isDeployable, good?.isDeployable]).toEqual([false, true]);
  });
});

describe('Table 1', () => {
  test('ours, published and the difference stand in one row, on the same backbone and protocol alone', () => {
    const options = { backbone: 'Qwen/Qwen2.5-7B-Instruct', protocol: 'official' } as const;
    // The paper's test split has 169 safe and 163 unsafe runs.
    const papers = predictions(15, 15, 'aftraj', 338).filter((_, at) => at % 2 === 1 || at < 326);
    const over = (some: readonly Prediction[], changes: Partial<ScoredWalk> = {}): ScoredWalk => ({
      method: 'zero-shot',
      kind: 'baseline',
      ...options,
      scores: scorePredictions(some, { resamples: 10 }),
      ...changes,
    });
    const walks = [
      over(papers),
      over(papers, { protocol: 'strict' }),
      over(papers, { backbone: 'Qwen2.5-72B-Instruct' }),
      over(papers.slice(1)),
      over(papers, { kind: 'floor' }),
    ];
    const rows = rowsOf(/AFTraj/, walks).filter((row) => row['row'] !== 'published');
    // 2 * 15 / (163 + 30 alarms) = 15.54
    expect(rows.map((row) => [row['protocol'], row['published'], row['difference']])).toEqual([
      ['strict', null, null],
      ['official', 21.05, 15.54 - 21.05],
      ['official', null, null],
      ['official', null, null],
      ['official', null, null],
    ]);
  });

  test('every row names protocol and backbone, the published ones too', () => {
    for (const row of rowsOf(/AFTraj/, [GOOD, FLOOR])) {
      expect(row['protocol']).toMatch(/^(strict|official|post-hoc)$/);
      expect(row['backbone']).not.toBe('');
    }
  });

  test('the title says which rows were walked', () => {
    expect(benchReport([GOOD]).tables[0]?.title).toBe('AFTraj-2K, test split');
  });

  test('natural failures stand apart', () => {
    const [row] = rowsOf(/AFTraj/, [GOOD]);
    expect(row?.['natural F1']).toMatchObject({ value: 100 });
  });
});

test('Table 2 keeps the halves of Who&When apart', () => {
  const ag = walk('x', 'auditor', [15, 0], { dataset: 'who-and-when-ag' });
  const hc = walk('x', 'auditor', [30, 0], { dataset: 'who-and-when-hc' });
  const [row] = rowsOf(/Who&When/, [{ ...ag, scores: [...ag.scores, ...hc.scores] }]);
  expect(row).toMatchObject({ 'AG Step-Acc': { value: 50 }, 'HC Step-Acc': { value: 100 } });
});

describe('the ablation', () => {
  test('stands with the published rows where no checkpoint was walked, and says so', () => {
    const table = benchReport([GOOD]).tables.find(({ title }) => /stages/.test(title));
    expect(table?.rows.map((row) => row[4])).toEqual([21.1, 35.6, 50.4, 66.4]);
    expect(table?.notes.join(' ')).toContain('--ablation');
  });

  test('a difference is drawn under the published protocol alone', () => {
    const both = walk('chat', 'auditor', [30, 0], { backbone: 'b', protocol: 'official' });
    const stage1 = walk('chat', 'auditor', [30, 0], { backbone: 'a' });
    const report = benchReport([], { ablation: { both, stage1 } });
    const rows = report.tables.find(({ title }) => /stages/.test(title))?.rows ?? [];
    expect(rows.map((row) => row[5])).toEqual([null, null, null, 100 - 66.4]);
    expect(report.findings).toHaveLength(2);
  });
});

test('cost has a row for each auditor whose server told tokens, and is left out where none did', () => {
  const call = {
    type: 'call',
    purpose: 'verdict',
    model: 'm',
    attempts: 1,
    durationMs: 1,
    inputTokens: 100,
  } as const;
  const asked = predictions(3, 0).map(({ truth, audits }) => ({
    truth,
    audits: audits.map((audit) => ({
      ...audit,
      calls: [{ ...call, cachedInputTokens: 80, outputTokens: 9 }],
    })),
  }));
  const metered: ScoredWalk = { ...GOOD, scores: scorePredictions(asked, { resamples: 10 }) };
  expect(rowsOf(/Cost/, [metered, FLOOR])).toMatchObject([
    { auditor: 'good', calls: 1, 'tokens in': 100, cached: 80, 'tokens out': 9, 'median ms': 3 },
  ]);
  expect(benchReport([GOOD]).tables.some(({ title }) => title === 'Cost')).toBe(false);
});

test('a plane for each protocol, with the published points under theirs', () => {
  const { plots } = benchReport([GOOD, FLOOR, walk('good', 'auditor', [30, 0], { protocol: 'official' })]);
  expect(Object.keys(plots)).toEqual(['plane-strict', 'plane-official']);
  expect(plots['plane-official']).toContain('DeepSeek-V4-Pro');
  expect(plots['plane-strict']).not.toContain('DeepSeek-V4-Pro');
});

test('the page fetches nothing, runs nothing, and shows hostile names as text', () => {
  const evil = walk('<img src=x onerror=alert(1)>', 'auditor', [1, 1], { backbone: '"><script>' });
  const page = reportPage(benchReport([evil, FLOOR]));
  expect(page).not.toMatch(/<img|<script|https?:\/\/(?!www\.w3\.org)/);
  expect(page).toContain('&lt;img');
  expect(reportMarkdown(benchReport([evil]))).not.toMatch(/(?<!\\)<img/);
});
