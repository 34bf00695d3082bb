import { styleText } from 'node:util';
import type { AuditedRun, AuditedStep } from './audited-run.js';
import { oneLine, padded } from './terminal-text.js';

const AGENT_WIDTH = 20;
const NARROWEST = 72;

/** The run as a table of steps, one line each, the alarm's reason and the notes under theirs. @param width in columns */
export function timeline(run: AuditedRun, width: number): string {
  const columns = Math.max(width, NARROWEST);
  const agents = Math.min(AGENT_WIDTH, Math.max(5, ...run.steps.map(({ turn }) => turn.agent.length)));
  const head = `${'step'.padStart(4)}  ${'agent'.padEnd(agents)}  ${'kind'.padEnd(7)}  ${'verdict'.padEnd(11)}  said`;
  const alarmed = run.alarmed ? run.steps.indexOf(run.alarmed) : Number.POSITIVE_INFINITY;
  const lines = run.steps.flatMap((step, i) => stepLines(step, i > alarmed, agents, columns));
  return [`  task  ${oneLine(run.task, columns - 8)}`, styleText('dim', head), ...lines].join('\n');
}

function stepLines(step: AuditedStep, afterAlarm: boolean, agents: number, columns: number): string[] {
  const { turn } = step;
  const left = `${String(turn.index).padStart(4)}  ${padded(oneLine(turn.agent, agents), agents)}  ${turn.kind.padEnd(7)}`;
  const said = oneLine(saidBy(step), columns - left.length - 15);
  const line = `${left}  ${verdictMark(step, afterAlarm)}  ${afterAlarm ? styleText('dim', said) : said}`;
  const indent = ' '.repeat(6);
  const under = (label: string, text: string) =>
    `${indent}${label} ${oneLine(text, columns - 8 - label.length)}`;
  const notes = step.notes.map((note) => styleText('dim', under('·', note)));
  const { verdict, failure } = step;
  if (failure)
    return [line, styleText('yellow', under('└─', `${failure.kind}: ${failure.message}`)), ...notes];
  if (verdict?.kind !== 'alarm') return [line, ...notes];
  const blamed = `${indent}└─ step ${verdict.step}, ${oneLine(verdict.agent, AGENT_WIDTH)}: `;
  const reason = wrapped(oneLine(verdict.reason, 2000), columns - blamed.length);
  return [
    line,
    ...reason.map((part, i) => styleText('red', `${i === 0 ? blamed : ' '.repeat(blamed.length)}${part}`)),
    ...notes,
  ];
}

function verdictMark({ turn, verdict, failure }: AuditedStep, afterAlarm: boolean): string {
  if (failure) return styleText('yellow', '? failed   ');
  if (verdict?.kind === 'alarm') return styleText(['red', 'bold'], '✗ ALARM    ');
  if (verdict) return styleText('green', '✓ continue ');
  return styleText('dim', (turn.given ? '· given' : afterAlarm ? '· not asked' : '· skipped').padEnd(11));
}

function saidBy({ turn }: AuditedStep): string {
  const calls = turn.toolCalls?.map(({ name, args }) => `${name}(${JSON.stringify(args)})`).join(' ') ?? '';
  const handoff = turn.handoffTo ? `→ ${turn.handoffTo}` : '';
  return [handoff, calls, turn.content || turn.thought || ''].filter((part) => part !== '').join(' ');
}

function wrapped(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) as string;
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}
