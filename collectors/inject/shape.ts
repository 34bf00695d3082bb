import type { SampleTurn } from '../sample.js';

/** How a text is laid out, apart from what it says. */
interface TextShape {
  readonly length: number;
  readonly lines: number;
  readonly isJson: boolean;
  readonly fences: number;
  readonly lists: number;
  readonly headings: number;
  readonly typographic: boolean;
  readonly ending: string;
}

/** Below this many characters a text may be this much longer or shorter: "42" becomes "420". */
const SLACK = 40;

/**
 * What of a turn's shape a rewriter has changed, in words; empty when it kept it. A fault that looks different is found by
 * its looks: a model that reads no text would learn it.
 */
export function shapeFaults(original: SampleTurn, faulty: SampleTurn): string[] {
  const faults: string[] = [];
  const { toolCalls: calls = [] } = original;
  const { toolCalls: newCalls = [] } = faulty;
  if ((original.thought ?? '') === '' ? (faulty.thought ?? '') !== '' : (faulty.thought ?? '') === '') {
    faults.push('uses the thought where the original does not, or the other way round');
  }
  if (calls.length !== newCalls.length)
    faults.push(`makes ${newCalls.length} tool calls, not ${calls.length}`);
  for (const [at, { name, args }] of calls.entries()) {
    const call = newCalls[at];
    if (!call) continue;
    if (call.name !== name) faults.push(`calls ${call.name} in place of ${name}`);
    if (keysOf(call.args) !== keysOf(args)) faults.push(`gives ${name} other arguments than ${keysOf(args)}`);
  }
  if (original.handoffTo !== faulty.handoffTo) faults.push('passes control to somebody else');
  for (const field of ['content', 'thought'] as const) {
    faults.push(
      ...textFaults(original[field] ?? '', faulty[field] ?? '').map((fault) => `${field} ${fault}`),
    );
  }
  return faults;
}

/** Whether it says something else at all: what differs in white space and case only is the same. */
export function isChanged(original: SampleTurn, faulty: SampleTurn): boolean {
  return wordsOf(original) !== wordsOf(faulty);
}

function textFaults(original: string, faulty: string): string[] {
  const [was, is] = [shapeOf(original), shapeOf(faulty)];
  const faults: string[] = [];
  const within = (value: number, reference: number, factor: number, slack: number) =>
    value <= reference * factor + slack && value >= reference / factor - slack;
  if (!within(is.length, was.length, 1.5, SLACK))
    faults.push(`has ${is.length} characters, not about ${was.length}`);
  if (!within(is.lines, was.lines, 1.5, 2)) faults.push(`has ${is.lines} lines, not about ${was.lines}`);
  if (is.isJson !== was.isJson) faults.push(was.isJson ? 'is no JSON any more' : 'has become JSON');
  if (is.fences !== was.fences) faults.push(`has ${is.fences} code fences, not ${was.fences}`);
  if (was.lists > 0 !== is.lists > 0)
    faults.push('is a list where the original is none, or the other way round');
  if (was.headings > 0 !== is.headings > 0)
    faults.push('has headings where the original has none, or the other way round');
  if (is.typographic && !was.typographic)
    faults.push('has typographic quotes or dashes, which the original has not');
  if (is.ending !== was.ending) faults.push(`ends in ${is.ending}, not in ${was.ending}`);
  return faults;
}

function shapeOf(text: string): TextShape {
  const lines = text.split('\n');
  const counts = (pattern: RegExp) => lines.filter((line) => pattern.test(line)).length;
  return {
    length: text.length,
    lines: lines.length,
    isJson: isJson(text),
    fences: counts(/^\s*```/),
    lists: counts(/^\s*(?:[-*•]|\d+[.)])\s/),
    headings: counts(/^\s*#{1,6}\s/),
    typographic: /[‘’“”–—…]/.test(text),
    ending: endingOf(text),
  };
}

function endingOf(text: string): string {
  const trailing = /\s*$/.exec(text)?.[0] ?? '';
  if (trailing !== '') return trailing.includes('\n') ? 'a line break' : 'white space';
  return /[.!?]$/.test(text) ? 'a full stop' : 'no full stop';
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function keysOf(args: unknown): string {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return typeof args;
  return Object.keys(args).sort().join(', ');
}

function wordsOf({ content, thought = '', toolCalls = [] }: SampleTurn): string {
  const calls = toolCalls.map(({ name, args }) => `${name} ${JSON.stringify(args)}`);
  return [content, thought, ...calls].join('\n').replace(/\s+/g, ' ').trim().toLowerCase();
}
