import { wordedCallId } from './call-checks.js';
import type { RunCheck } from './check.js';
import {
  labelAgentAbsent,
  labelAgentNotAtStep,
  labelAgentOnlyBaseName,
  labelAtTask,
  labelOnToolTurn,
} from './label-checks.js';
import { hyphenInSpeaker, speakersShareBaseName, taskSpokenByAgent } from './speaker-checks.js';
import {
  closingCodeTag,
  curlyQuotes,
  invisibleCharacter,
  nonLatinText,
  softHyphen,
  temporaryFileName,
  thinkTagLeft,
} from './text-checks.js';
import { emptyTurn, longTurn, repeatedTurn, taskNotInFirstTurn } from './turn-checks.js';

/** Checks of one run in whatever format it was kept. */
export const runChecks: readonly RunCheck[] = [
  labelAgentAbsent,
  labelAgentOnlyBaseName,
  labelAgentNotAtStep,
  labelOnToolTurn,
  labelAtTask,
  taskSpokenByAgent,
  taskNotInFirstTurn,
  speakersShareBaseName,
  hyphenInSpeaker,
  emptyTurn,
  repeatedTurn,
  longTurn,
  invisibleCharacter,
  softHyphen,
  nonLatinText,
  thinkTagLeft,
  curlyQuotes,
  closingCodeTag,
  temporaryFileName,
  wordedCallId,
];
