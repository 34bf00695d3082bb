import { htmlPage } from '../../bench/page/page.js';
import { htmlTable, shown } from '../../bench/page/text.js';
import { duration, knownMoney, percent, whole } from '../figures.js';
import { headline, spared, whatBefell } from './headline.js';
import { alarmTables } from './html-alarms.js';
import { charts } from './html-charts.js';
import type { ReportSummary, ReportTally } from './report-tally.js';
import { endingsIn } from './run-chains.js';

const SHOWN_AGENTS = 20;

/** The report as one page that needs nothing else: to be mailed, or kept beside its log. */
export function reportPage(summary: ReportSummary, tally: ReportTally): string {
  const { wouldHalts } = summary;
  const plots = charts(summary, tally);
  const after = spared(summary);
  return htmlPage(
    'Audit report',
    `<header><h1>${shown(headline(summary))}</h1>
<p class="facts">${shown(scope(summary))}</p></header>
<section class="cards">${cards(summary).join('\n')}</section>
${section(plots.length > 0, 'Plots', () => `<div class="plots">${plots.map((plot) => `<figure>${plot}</figure>`).join('\n')}</div>`)}
${section(wouldHalts.length > 0, `Runs that ${whatBefell(summary.policies)}`, () => `${after === undefined ? '' : `<p>${shown(capital(after))}.</p>`}${alarmTables(wouldHalts, tally.alarms.excerpts)}`)}
<section class="columns">
${tables(summary)
  .map(([title, table]) => `<div><h2>${title}</h2>${table}</div>`)
  .join('\n')}
</section>`,
  );
}

function section(isThere: boolean, title: string, content: () => string): string {
  return isThere ? `<section><h2>${shown(title)}</h2>${content()}</section>` : '';
}

function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function scope({ files, logged, from, until, policies, skipped }: ReportSummary): string {
  const told = [
    `${whole(logged.runs)} runs in ${whole(files)} ${files === 1 ? 'log' : 'logs'}`,
    logged.continuations > 0 ? `${whole(logged.continuations)} of them continue others` : '',
    logged.incomplete > 0 ? `${whole(logged.incomplete)} lack some of their lines` : '',
    from && until
      ? `begun ${from.slice(0, 16).replace('T', ' ')} to ${until.slice(0, 16).replace('T', ' ')} UTC`
      : '',
    Object.keys(policies)
      .map((policy) => `onAlarm: ${policy}`)
      .join(', '),
    skipped > 0 ? `${whole(skipped)} bad lines or files passed over` : '',
  ];
  return told.filter((part) => part !== '').join(' · ');
}

function cards({ alarms, audits, turns, cost }: ReportSummary): string[] {
  const failed = audits.failures.reduce((sum, { audits: number }) => sum + number, 0);
  const asked = audits.verdicts + failed;
  const range = alarms.interval
    ? `${percent(alarms.interval.low)} to ${percent(alarms.interval.high)} with 95 % confidence`
    : '';
  const share = audits.runMs > 0 ? `${percent(audits.auditMs / audits.runMs)} of the runs' time` : '';
  return [
    card('alarm rate', percent(alarms.rate), range),
    card('turns after alarms', whole(alarms.turnsAfter), duration(alarms.msAfter)),
    card('audits', whole(asked), `of ${whole(turns.turns)} turns; ${whole(turns.missed)} due and missed`),
    card('failed audits', percent(asked === 0 ? null : failed / asked), `${whole(failed)} audits`),
    card(
      'time of an audit',
      duration(audits.latency.median),
      `95 % within ${duration(audits.latency.p95)}; ${share}`,
    ),
    ...(cost.calls === 0
      ? []
      : [
          card(
            'cost of a run',
            knownMoney({ ...cost, cost: cost.cost / Math.max(1, alarms.runs) }),
            `${whole((cost.inputTokens + cost.outputTokens) / Math.max(1, alarms.runs))} tokens; all ${knownMoney(cost)}`,
          ),
        ]),
  ];
}

function card(title: string, figure: string, detail: string): string {
  return `<div class="card"><div class="facts">${shown(title)}</div><div class="figure">${shown(figure)}</div><div class="facts">${shown(detail)}</div></div>`;
}

function tables(summary: ReportSummary): (readonly [title: string, table: string])[] {
  const { alarms, audits, turns, cost, opinions, byAuditor, byAgent } = summary;
  const { alarmed, others } = alarms.endings;
  const endings = endingsIn(alarmed, others);
  const all: (readonly [string, readonly string[], readonly (readonly string[])[]])[] = [
    [
      'How runs ended',
      ['', 'with an alarm', 'others'],
      endings.map((ending) => [ending, whole(alarmed[ending] ?? 0), whole(others[ending] ?? 0)]),
    ],
    [
      'Turns',
      ['', 'turns'],
      [
        ['audited', whole(turns.audited)],
        ['passed over by the schedule', whole(turns.passedOver)],
        ['after an alarm', whole(turns.afterAlarm)],
        ['due and missed', whole(turns.missed)],
      ],
    ],
    [
      'Failed audits',
      ['kind', 'audits', 'for example'],
      audits.failures.map(({ kind, audits: number, message }) => [
        kind,
        whole(number),
        `<span class="example">${shown(message)}</span>`,
      ]),
    ],
    [
      'Model calls',
      ['', 'calls', 'failed', 'tokens in', 'cached', 'out', 'cost'],
      [
        ...cost.byPurpose.map((of) => ({ title: of.purpose, of })),
        ...cost.byAuditor.map((of) => ({
          title: `${shown(of.auditor)}${of.isShadow ? ' (candidate)' : ''}`,
          of,
        })),
      ].map(({ title, of }) => [
        title,
        ...[of.calls, of.failed, of.inputTokens, of.cachedInputTokens, of.outputTokens].map(whole),
        knownMoney(of),
      ]),
    ],
    [
      'Opinions of auditors made of several',
      ['', 'asked', 'alarms', 'failed', 'agreed', 'same step', 'median'],
      opinions.map((of) => [
        `${shown(of.auditor)}${of.isShadow ? ' (candidate)' : ''}`,
        ...[of.asked, of.alarms, of.failures].map(whole),
        percent(of.asked === 0 ? null : of.agreed / of.asked),
        `${whole(of.sameStep)}/${whole(of.bothAlarm)}`,
        duration(of.medianLatency),
      ]),
    ],
    [
      'Auditors',
      ['', 'audits', 'alarms', 'failed', 'median'],
      byAuditor.map((of) => [
        shown(of.auditor),
        ...[of.audits, of.alarms, of.failures].map(whole),
        duration(of.medianLatency),
      ]),
    ],
    [
      'Agents',
      ['', 'turns', 'blamed'],
      byAgent.slice(0, SHOWN_AGENTS).map((of) => [shown(of.agent), whole(of.turns), whole(of.blamed)]),
    ],
    [
      'What prompts left out',
      ['', ''],
      cost.cuts.audits === 0
        ? []
        : [
            ['prompts', whole(cost.cuts.audits)],
            ['tokens, at most', whole(cost.cuts.mostTokens)],
            ['turns, at most', whole(cost.cuts.mostTurns)],
          ],
    ],
  ];
  return all
    .filter(([, , rows]) => rows.length > 0)
    .map(([title, head, rows]) => [title, htmlTable(head, rows)]);
}
