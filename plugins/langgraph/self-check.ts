import type { Diagnostics, OnAlarm, TurnInput } from '../../core/index.js';
import type { Task } from './task.js';

/**
 * Notices agents that run where the hook cannot see them, so that nobody takes silence for approval, and runs that cannot
 * be paused as they should. Each finding is reported once, with what to do about it.
 */
export class SelfCheck {
  readonly #diagnostics: Diagnostics;
  readonly #reported = new Set<string>();

  constructor(diagnostics: Diagnostics) {
    this.#diagnostics = diagnostics;
  }

  /** A graph is about to be hooked: does it hand work to a graph that runs elsewhere? */
  hooks(graph: object): void {
    for (const [node, { bound }] of Object.entries(nodesOf(graph))) {
      if (typeof bound !== 'object' || bound === null) continue;
      if ('graphId' in bound) {
        this.#report(
          'agent-not-hooked',
          `node ${node} is a RemoteGraph, whose own steps are not seen: it is judged as one step when it ends. Hook that graph where it is compiled, too`,
        );
      } else this.hooks(bound);
    }
  }

  /** A hooked graph begins. @param node the node of another graph that it runs in, if it does */
  begins(node: unknown): void {
    if (typeof node !== 'string') return;
    this.#report(
      'agent-not-hooked',
      `the hooked graph runs in node ${node} of a graph that is not hooked, so that agents beside it are not seen. Hook the outermost graph instead`,
    );
  }

  /** A node has ended. @param known the agents that were seen at work in this run */
  spoke({ agent, sawWork }: Task, turns: readonly TurnInput[], known: ReadonlySet<string>): void {
    if (sawWork) return;
    const stranger = turns.find(
      (turn) => turn.kind === 'agent' && turn.agent !== agent && !known.has(turn.agent),
    );
    if (!stranger && !hasExchange(turns)) return;
    const what = stranger
      ? `hands back words of ${stranger.agent}`
      : 'hands back an agent’s exchange with its tools';
    this.#report(
      'agent-not-hooked',
      `node ${agent} ${what}, of which nothing was seen while it ran. If it calls an agent, pass the node’s config on, agent.invoke(input, config), and give it no callbacks option; if it calls tools by hand, make them a node of their own. Otherwise they are judged when the node ends, and cannot be halted`,
    );
  }

  /** A run begins that can only be halted. @param wanted what an alarm was meant to do */
  canOnlyHalt(wanted: OnAlarm): void {
    if (wanted !== 'pause' && wanted !== 'recover') return;
    this.#report(
      `cannot-${wanted}`,
      `onAlarm is "${wanted}", but an alarm will halt this run, for it is kept nowhere. Compile the graph with a checkpointer, and invoke it with a thread_id`,
    );
  }

  #report(code: string, message: string): void {
    if (this.#reported.has(message)) return;
    this.#reported.add(message);
    this.#diagnostics.report({ code, message });
  }
}

/** Whether a call and its result come out of one node. */
function hasExchange(turns: readonly TurnInput[]): boolean {
  if (turns.length < 2) return false;
  const called = new Set(turns.flatMap(({ toolCalls }) => (toolCalls ?? []).map(({ id }) => id)));
  return turns.some(
    ({ kind, toolCallId }) => kind === 'tool' && toolCallId !== undefined && called.has(toolCallId),
  );
}

function nodesOf(graph: object): Readonly<Record<string, { readonly bound?: unknown }>> {
  return 'nodes' in graph && typeof graph.nodes === 'object' && graph.nodes !== null
    ? { ...graph.nodes }
    : {};
}
