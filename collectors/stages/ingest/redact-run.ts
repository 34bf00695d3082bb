import type { JsonValue, Redactor } from '../../../core/index.js';
import type { RecordedRun } from '../../recorded-run.js';
import type { SampleTurn } from '../../sample.js';

/** A run without what must not be handed on, and whether anything was. Ids are handles and stay: linking needs them. */
export function redactedRun(
  run: RecordedRun,
  redactor: Redactor,
): { readonly run: RecordedRun; readonly isRedacted: boolean } {
  const { task, tools, reference, label, turns } = run;
  let isRedacted = false;
  const redact = <Value>(value: Value): Value => {
    const kept = redactor.redact(value as JsonValue) as Value;
    isRedacted ||= kept !== value && JSON.stringify(kept) !== JSON.stringify(value);
    return kept;
  };
  const redactedTurn = (turn: SampleTurn): SampleTurn => {
    const { agent, content, thought, toolName, handoffTo, action, toolCalls, ...handles } = turn;
    const texts = redact(withoutUndefined({ agent, content, thought, toolName, handoffTo, action }));
    const before = isRedacted;
    isRedacted = false;
    const calls = toolCalls?.map(({ id, ...call }) => ({ id, ...redact(withoutUndefined(call)) }));
    // The raw action is one text, in which a secret has no field's name to be known by.
    const raw = isRedacted && action !== undefined ? { action: undefined } : {};
    isRedacted ||= before;
    return { ...handles, ...texts, ...(calls && { toolCalls: calls }), ...raw };
  };
  const kept = { ...run, turns: turns.map(redactedTurn), task: redact(task), tools: redact(tools) };
  if (reference !== undefined) kept.reference = redact(reference);
  if (label !== undefined) kept.label = redact(withoutUndefined(label));
  // Where nothing was redacted, turns keep the order of their fields, too.
  return isRedacted ? { run: kept, isRedacted } : { run, isRedacted };
}

/** JSON knows no undefined. */
function withoutUndefined<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}
