import type { SampleTurn } from '../sample.js';
import type { Language } from './sandbox/interpreters.js';

const FENCES: Readonly<Record<Language, RegExp>> = {
  python: /```(?:python|py|python3)[ \t]*\n(.*?)```/gis,
  javascript: /```(?:javascript|js|mjs|cjs)[ \t]*\n(.*?)```/gis,
};
const ANY_FENCE = /```[\w+-]*[ \t]*\n(.*?)```/gs;

/** Arguments that hold code, in AFTraj's `run_tests` and its like. */
const ARGUMENTS = ['solution_code', 'solution', 'code'];

/**
 * The code that a run ends with: of the last turn that has any, the last fenced block in the language, or else in none, or
 * what a call submits.
 */
export function finalCode(turns: readonly SampleTurn[], language: Language): string | undefined {
  for (const { content, toolCalls = [], kind } of turns.toReversed()) {
    if (kind !== 'agent') continue;
    const fenced = lastOf(content, FENCES[language]) ?? lastOf(content, ANY_FENCE);
    if (fenced !== undefined) return fenced;
    for (const { args } of toolCalls.toReversed()) {
      if (typeof args !== 'object' || args === null || Array.isArray(args)) continue;
      const fields = args as Readonly<Record<string, unknown>>;
      const code = ARGUMENTS.map((name) => fields[name]).find((value) => typeof value === 'string');
      if (typeof code === 'string') return code;
    }
  }
  return undefined;
}

function lastOf(text: string, fence: RegExp): string | undefined {
  return [...text.matchAll(fence)].at(-1)?.[1];
}
