/** What Magentic-One appends to its orchestrator's name. Any other brackets, as in `Solver (v2)`, belong to the name. */
const FORMS = ['(thought)', '(termination condition)'];
const HANDOFF = '(->';

/**
 * The name without the form it speaks in: `Orchestrator (thought)` and `Orchestrator (-> WebSurfer)` are both
 * `Orchestrator`. For comparing with labels only: two agents of a run may share a base name, so turns keep the raw one.
 */
export function baseName(speaker: string): string {
  let name = speaker.trim();
  for (;;) {
    const form = formOf(name);
    if (form === undefined || form === name) return name;
    name = name.slice(0, -form.length).trimEnd();
  }
}

/** `WebSurfer` for `Orchestrator (-> WebSurfer)`. */
export function handoffTarget(speaker: string): string | undefined {
  const form = formOf(speaker.trim());
  return form?.startsWith(HANDOFF) ? form.slice(HANDOFF.length, -1).trim() || undefined : undefined;
}

/** Whether a label's agent and a turn's speaker are one: the same name, or the same base name. */
export function isSameAgent(one: string, other: string): boolean {
  return one === other || baseName(one) === baseName(other);
}

function formOf(name: string): string | undefined {
  const handoff = name.endsWith(')') ? name.indexOf(HANDOFF) : -1;
  return handoff >= 0 ? name.slice(handoff) : FORMS.find((form) => name.endsWith(form));
}
