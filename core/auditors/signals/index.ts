import { brokenAfterPass } from './broken-after-pass.js';
import type { Check } from './check.js';
import { claimsPassAfterFailure } from './claims-pass-after-failure.js';
import { contradictsPass } from './contradicts-pass.js';
import { emptyOutput } from './empty-output.js';
import { exactRepetition } from './exact-repetition.js';
import { falseArithmetic } from './false-arithmetic.js';
import { invalidToolCall } from './invalid-tool-call.js';
import { misquotesResult } from './misquotes-result.js';
import { simulatedCode } from './simulated-code.js';
import { skipsVerification } from './skips-verification.js';
import { stepBudgetNearlyUsed } from './step-budget-nearly-used.js';
import { toolFailure } from './tool-failure.js';
import { unknownTool } from './unknown-tool.js';
import { unproducedExpectation } from './unproduced-expectation.js';
import { unseenNumber } from './unseen-number.js';
import { unsupportedClaim } from './unsupported-claim.js';

/** Every check, most trustworthy first: where several fire on one turn, the first of them is the alarm. */
const table = [
  contradictsPass,
  brokenAfterPass,
  unproducedExpectation,
  misquotesResult,
  skipsVerification,
  toolFailure,
  falseArithmetic,
  unsupportedClaim,
  claimsPassAfterFailure,
  invalidToolCall,
  unknownTool,
  exactRepetition,
  emptyOutput,
  simulatedCode,
  unseenNumber,
  stepBudgetNearlyUsed,
] as const;

export type CheckName = (typeof table)[number]['name'];

export const checks: readonly Check<CheckName>[] = table;

export const checkNames = table.map(({ name }) => name);

export type { Check, CheckContext, Finding, Grade } from './check.js';
