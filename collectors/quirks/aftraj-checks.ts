import { actionCalls, jsonOrNothing } from '../importers/aftraj-action.js';
import type { AfTrajRow } from '../importers/aftraj-row.js';
import type { Check } from './check.js';

/** AFTraj writes a host's JSON arguments compactly; those that a model wrote into a run have spaces. */
const spacedCallArguments: Check<AfTrajRow> = {
  code: 'spaced-call-arguments',
  *find({ turns }) {
    const spaced = turns.flatMap(({ role, action }, step) =>
      argumentTexts(action).some(hasSpaceOutsideStrings) ? [{ step, role }] : [],
    );
    const [first] = spaced;
    if (!first) return;
    const roles = [...new Set(spaced.map(({ role }) => role))].join(', ');
    yield { step: first.step, detail: `in ${spaced.length} turns of ${roles}` };
  },
};

/** `[{'name': 'run_tests', …}]`: calls as Python prints them, found in coding injections alone. */
const pythonLiteralAction: Check<AfTrajRow> = {
  code: 'python-literal-action',
  *find({ turns }) {
    for (const [step, { action }] of turns.entries()) {
      if (/^\s*\[\s*\{\s*'/.test(action)) yield { step, detail: 'the action is a Python literal, not JSON' };
    }
  },
};

const argumentsNotJson: Check<AfTrajRow> = {
  code: 'arguments-not-json',
  *find({ turns }) {
    for (const [step, { action }] of turns.entries()) {
      const bad = argumentTexts(action).find((text) => jsonOrNothing(text) === undefined);
      if (bad !== undefined)
        yield { step, detail: `arguments that begin ${JSON.stringify(bad.slice(0, 40))}` };
    }
  },
};

/** A terminal's output under the terminal's name: by AFTraj's own roles an agent's turn, though no model wrote it. */
const terminalAsAgent: Check<AfTrajRow> = {
  code: 'terminal-as-agent',
  *find({ turns }) {
    const step = turns.findIndex(({ role }) => role === 'Computer_terminal');
    if (step >= 0) yield { step, detail: 'a terminal speaks as an agent, not as the environment' };
  },
};

/** AFTraj cuts turn 0 of its agentic runs here, in the middle of an attachment or of the question itself; in 55 runs. */
const FIRST_TURN_CHARACTERS = 500;

const firstTurnCutShort: Check<AfTrajRow> = {
  code: 'first-turn-cut-short',
  *find({ domain, turns: [first] }) {
    if (domain === 'agentic' && first?.content.length === FIRST_TURN_CHARACTERS) {
      yield { step: 0, detail: `turn 0 ends after exactly ${FIRST_TURN_CHARACTERS} characters` };
    }
  },
};

const turnCountMismatch: Check<AfTrajRow> = {
  code: 'turn-count-mismatch',
  *find({ num_turns: declared, turns }) {
    if (declared != null && declared !== turns.length) {
      yield { detail: `num_turns says ${declared}, the row has ${turns.length}` };
    }
  },
};

/** Checks of what the mapping to turns would hide. */
export const afTrajChecks: readonly Check<AfTrajRow>[] = [
  turnCountMismatch,
  firstTurnCutShort,
  terminalAsAgent,
  argumentsNotJson,
  spacedCallArguments,
  pythonLiteralAction,
];

function argumentTexts(action: string): readonly string[] {
  return (actionCalls(action) ?? []).flatMap((call) =>
    typeof call.arguments === 'string' ? [call.arguments] : [],
  );
}

function hasSpaceOutsideStrings(text: string): boolean {
  if (jsonOrNothing(text) === undefined) return false;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (inString && char === '\\') at++;
    else if (char === '"') inString = !inString;
    else if (!inString && char === ' ') return true;
  }
  return false;
}
