import { shown } from '../../bench/page/text.js';
import { count, duration, whole } from '../figures.js';
import type { WouldHalt } from './alarm-tally.js';
import type { Excerpt, ShownTurn } from './excerpt.js';

/** One alarm: what was blamed and why, what followed, and on demand the turns around it. */
function alarmItem(would: WouldHalt, excerpt: Excerpt): string {
  const { runId, source, at, auditor, step, agent, reason, score, raisedAtStep, ended } = would;
  const after = would.turnsAfter === 0 ? '–' : whole(would.turnsAfter);
  const time = would.turnsAfter === 0 ? '' : duration(would.msAfter);
  const facts = [
    `step ${step} of <code>${shown(source)}</code>`,
    `raised at step ${raisedAtStep} by ${shown(auditor)}, ${shown(at.slice(0, 19).replace('T', ' '))} UTC`,
    would.tokensAfter > 0 ? `${whole(would.tokensAfter)} tokens of the agents' models followed` : '',
  ].filter((fact) => fact !== '');
  return `<tbody>
<tr class="alarm"><td><b>${shown(runId)}</b></td><td class="number">${step}</td><td>${shown(agent)}</td>
<td class="number">${score === null ? '–' : score.toFixed(2)}</td><td class="number">${after}</td><td class="number">${time}</td><td>${shown(ended)}</td></tr>
<tr><td colspan="7"><p class="reason">${shown(reason)}</p>
<details><summary>the turns around step ${step}</summary><p class="facts">${facts.join(' · ')}</p>
${excerpt.map((turn) => turnItem(turn, would)).join('\n')}</details></td></tr>
</tbody>`;
}

function turnItem({ step, agent, kind, text, cut }: ShownTurn, would: WouldHalt): string {
  const marks = [
    ...(step === would.step ? ['blamed'] : []),
    ...(step === would.raisedAtStep ? ['raised here'] : []),
  ];
  const mark = marks.length === 0 ? '' : ` <mark>${marks.join(', ')}</mark>`;
  const more = cut === 0 ? '' : `\n<span class="facts">… ${count(cut, 'more character')}</span>`;
  return `<div class="turn${step === would.step ? ' blamed' : ''}"><div class="facts">${step} · ${shown(agent)} · ${kind}${mark}</div><pre>${shown(text)}${more}</pre></div>`;
}

/** Alarms that stand open on the page; the others are folded away, so that what follows is not far off. */
const OPEN = 10;

/** Every alarm that an excerpt was kept of; how many more there are is said below. */
export function alarmTables(
  wouldHalts: readonly WouldHalt[],
  excerpts: ReadonlyMap<WouldHalt, Excerpt>,
): string {
  const items = [...excerpts].map(([would, excerpt]) => alarmItem(would, excerpt));
  const folded = items.slice(OPEN);
  const beyond = wouldHalts.length - items.length;
  return [
    alarmTable(items.slice(0, OPEN)),
    folded.length > 0
      ? `<details class="folded"><summary>${whole(folded.length)} more</summary>${alarmTable(folded)}</details>`
      : '',
    beyond > 0
      ? `<p class="facts">and ${whole(beyond)} that only <code>agentforesight report --json</code> tells</p>`
      : '',
  ].join('\n');
}

function alarmTable(items: readonly string[]): string {
  return `<table class="alarms"><thead><tr><th>run</th><th class="number">step</th><th>agent</th><th class="number">score</th><th class="number">turns after</th><th class="number">time after</th><th>ended</th></tr></thead>
${items.join('\n')}</table>`;
}
