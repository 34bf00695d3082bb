import { htmlPage } from './page/page.js';
import { shown } from './page/text.js';
import { PROTOCOLS } from './protocol.js';
import { type Finding, findingsOf, findingText } from './report/findings.js';
import { ablationTable, type TrainingStages } from './tables/ablation-table.js';
import { afTrajTable } from './tables/aftraj-table.js';
import { costTable } from './tables/cost-table.js';
import { deploymentPlane } from './tables/deployment-plane.js';
import type { ScoredWalk } from './tables/scored-walk.js';
import { type Cell, htmlTableSection, jsonRows, markdownTable, type Table } from './tables/table.js';
import { whoAndWhenTable } from './tables/who-and-when-table.js';

/** Everything that walks were scored to, ready to be written as Markdown, HTML or JSON. */
export interface BenchReport {
  readonly findings: readonly Finding[];
  readonly tables: readonly Table[];
  /** SVG documents, by the name of their file without its end. */
  readonly plots: Readonly<Record<string, string>>;
}

export interface BenchReportOptions {
  /** Walks of checkpoints, by the stages that they were trained in. They stand in the other tables too. */
  readonly ablation?: Readonly<Partial<Record<TrainingStages, ScoredWalk>>> | undefined;
}

export function benchReport(
  walks: readonly ScoredWalk[],
  { ablation = {} }: BenchReportOptions = {},
): BenchReport {
  const all = [...walks, ...Object.values(ablation).filter((walk) => !walks.includes(walk))];
  const planes = PROTOCOLS.flatMap((protocol) => {
    const plane = deploymentPlane(all, protocol);
    return plane === undefined ? [] : [[`plane-${protocol}`, plane] as const];
  });
  const tables = [afTrajTable(all), whoAndWhenTable(all), ablationTable(ablation), costTable(all)];
  return {
    findings: findingsOf(all),
    tables: tables.filter((table) => table !== undefined),
    plots: Object.fromEntries(planes),
  };
}

const TITLE = 'How good the auditors are';

/** @param plotFolder where the plots' SVG files lie, relative to the Markdown file */
export function reportMarkdown({ findings, tables, plots }: BenchReport, plotFolder = '.'): string {
  const images = Object.keys(plots).map((name) => `![${name}](${plotFolder}/${name}.svg)`);
  const said = findings.map((finding) => `- ${findingText(finding).replace(/[\\|`*<>[\]#]/g, '\\$&')}`);
  return [`# ${TITLE}`, said.join('\n'), ...images, ...tables.map(markdownTable), '']
    .filter((part, at, all) => part !== '' || at === all.length - 1)
    .join('\n\n');
}

/** One page, plots and all, that fetches nothing and runs nothing. */
export function reportPage({ findings, tables, plots }: BenchReport): string {
  const said = findings.map((finding) => `<li>${shown(findingText(finding))}</li>`).join('\n');
  const figures = Object.values(plots).map((plot) => `<figure>${plot}</figure>`);
  return htmlPage(
    TITLE,
    `<header><h1>${TITLE}</h1></header>
${said === '' ? '' : `<section><h2>What the figures show</h2><ul>${said}</ul></section>`}
${figures.length === 0 ? '' : `<section class="plots">${figures.join('\n')}</section>`}
${tables.map(htmlTableSection).join('\n')}`,
  );
}

export interface BenchReportJson {
  readonly findings: readonly Finding[];
  readonly tables: readonly {
    readonly title: string;
    readonly notes: readonly string[];
    readonly rows: readonly Readonly<Record<string, Cell>>[];
  }[];
}

export function reportJson({ findings, tables }: BenchReport): BenchReportJson {
  return {
    findings,
    tables: tables.map((table) => ({ title: table.title, notes: table.notes, rows: jsonRows(table) })),
  };
}
