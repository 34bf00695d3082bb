import type { ReadOptions, ToolSpec } from '../../../core/index.js';
import type { RecordedRun } from '../../recorded-run.js';
import { type Message, message } from '../conversation/message.js';
import { RunBuilder } from '../conversation/run-builder.js';
import { shown } from '../json-object.js';
import type { Span, SpanCall } from './span.js';
import { type SpanNode, spanTree } from './span-tree.js';
import { ToldMessages } from './told-messages.js';

export interface TraceFacts {
  readonly runId: string;
  readonly source: string;
  readonly tools?: readonly ToolSpec[] | undefined;
  /** The trace's own input, for when no message says what the task is. */
  readonly task?: string | undefined;
}

/** The run that a trace tells: each message once, in the order of the tree, though every model call repeats the past. */
export function traceRun(spans: readonly Span[], facts: TraceFacts, options: ReadOptions): RecordedRun {
  const telling = new TraceTelling(options);
  const { roots, orphans } = spanTree(spans);
  if (orphans > 0)
    telling.builder.note('missing-parent-span', `${orphans} spans whose parent is not in the file`);
  const waiting: (() => void)[] = [];
  const visit = (node: SpanNode): void => {
    telling.enter(node);
    waiting.push(() => telling.leave(node));
    for (const child of node.children.toReversed()) waiting.push(() => visit(child));
  };
  for (const root of roots.toReversed()) waiting.push(() => visit(root));
  for (let next = waiting.pop(); next; next = waiting.pop()) next();
  telling.end();
  const { task, ...others } = facts;
  const isAsked = telling.builder.turns.some(({ kind }) => kind === 'user');
  return telling.builder.finish({ ...others, ...(!isAsked && task !== undefined && { task }) });
}

class TraceTelling {
  readonly builder: RunBuilder;
  readonly #told = new ToldMessages();
  #hasBegun = false;
  /** Chains whose words a model call beside them may say. */
  #later: SpanNode[] = [];
  /** Failed tools, by call: what the model was told of it says more than the exception. */
  readonly #failed = new Map<string, () => void>();

  constructor(options: ReadOptions) {
    this.builder = new RunBuilder(options, { isTree: true });
  }

  enter(node: SpanNode): void {
    const { span } = node;
    // What a chain is given matters only where the run begins: later it is what others have said.
    if (isModelCall(node) || (!this.#hasBegun && span.input.some(({ role }) => role === 'user')))
      this.#tellPast(node);
    if (!isModelCall(node)) return;
    this.#hasBegun = true;
    this.#tellFailed();
    const durationMs =
      span.start === undefined || span.end === undefined ? undefined : Math.max(0, span.end - span.start);
    for (const said of span.output) {
      this.#told.add(said);
      this.#tell(said, node, { time: span.end, durationMs, usage: span.usage });
    }
    if (span.output.length === 0) this.#tellFailure(node);
  }

  leave(node: SpanNode): void {
    const { span } = node;
    if (span.end !== undefined && span.start !== undefined && span.end < span.start)
      this.builder.note('clock-order', 'a span ends before it starts');
    if (span.kind === 'tool' && span.call) this.#tellResult(node, span.call);
    else if (node.isBesideModel) this.#later.push(node);
    else if (!isModelCall(node) && this.#hasBegun) {
      for (const one of node.holdsModel ? [...this.#later.splice(0), node] : [node]) this.#tellWords(one);
    } else if (!isModelCall(node) && !this.#hasBegun && !node.holdsModel && node.children.length === 0) {
      for (const one of this.#told.newOnes(span.output)) this.#tellOnce(one, node, span.end);
    }
  }

  /** When the trace is over. */
  end(): void {
    for (const node of this.#later.splice(0)) this.#tellWords(node);
    this.#tellFailed();
  }

  /** What a chain says that no model call said: a node of plain code. */
  #tellWords(node: SpanNode): void {
    const said = this.#told.newOnes(node.span.output).filter(({ role }) => role !== 'user');
    for (const one of said) this.#tellOnce(one, node, node.span.end);
  }

  #tellFailed(): void {
    for (const tell of this.#failed.values()) tell();
    this.#failed.clear();
  }

  /** What a model call is shown and nobody has told yet. Before the first call that is the past, which was judged elsewhere. */
  #tellPast(node: SpanNode): void {
    const { input, start } = node.span;
    const isFirst = !this.#hasBegun;
    const fresh = this.#told.newOnes(input);
    const newestAsk = input.findLastIndex(({ role }) => role === 'user');
    for (const one of fresh) {
      const given = isFirst && input.indexOf(one) < newestAsk;
      if (one.role === 'user' && !isFirst) {
        if (this.#isDelegated(one)) {
          this.#told.add(one);
          continue;
        }
        if (one.content !== '')
          this.builder.note('prompt-mid-run', 'a person’s later word, or what code asked this agent');
      }
      if (one.role === 'agent' && !isFirst)
        this.builder.note('unrecorded-reply', 'no span of the trace says who said this');
      this.#tellOnce(one, node, isFirst ? undefined : start, given);
    }
  }

  #tellOnce(one: Message, node: SpanNode, time?: number, given = false): void {
    const isResult = one.role === 'tool' && one.toolCallId !== undefined;
    if (isResult && this.builder.isAnswered(one.toolCallId ?? '') === true) return;
    this.#told.add(one);
    const hasFailed = isResult && this.#failed.delete(one.toolCallId ?? '');
    const told = hasFailed ? { ...one, isError: true } : one;
    this.#tell(told, node, { time, ...(given && { given }) });
  }

  /** Words that stand in the arguments of a call: the delegating agent's turn shows them. */
  #isDelegated({ content }: Message): boolean {
    const words = JSON.stringify(content.trim()).slice(1, -1);
    return (
      words !== '' &&
      this.builder.turns.some(({ toolCalls = [] }) =>
        toolCalls.some(({ args }) => shown(args).includes(words)),
      )
    );
  }

  #tellResult({ span, agent }: SpanNode, call: SpanCall): void {
    const open = this.builder.openCall(call.id, call.name);
    const id = call.id ?? (open?.name === call.name ? open.id || undefined : undefined);
    if (id !== undefined && this.builder.isAnswered(id) === true) return;
    const facts = {
      at: span.at,
      agent,
      ...(span.end !== undefined && { time: span.end }),
      ...(span.start !== undefined &&
        span.end !== undefined && { durationMs: Math.max(0, span.end - span.start) }),
    };
    if (!open) {
      // Called by code, not by a model: the call is told with its result, or its arguments would be lost.
      const toolCalls = [{ id: id ?? span.id, name: call.name, args: call.args }];
      this.builder.tell(message('agent', '', { toolCalls }), { at: span.at, agent });
    }
    const isError = call.isError === true || span.error !== undefined;
    const result = call.result ?? span.error;
    if (result === undefined) {
      this.builder.note('missing-output', `the result of ${call.name} was not kept`);
      return;
    }
    const tell = (): void =>
      this.builder.tell(
        message('tool', result, {
          toolCallId: open ? id : (id ?? span.id),
          toolName: call.name,
          ...(isError && { isError }),
        }),
        facts,
      );
    if (open && id !== undefined && call.result === undefined) this.#failed.set(id, tell);
    else tell();
  }

  #tellFailure(node: SpanNode): void {
    const { error, end } = node.span;
    if (error === undefined) this.builder.note('missing-output', 'what the model said was not kept');
    else this.#tell(message('agent', `[the model call failed: ${error}]`), node, { time: end });
  }

  #tell(
    one: Message,
    { span, agent }: SpanNode,
    more: Omit<Parameters<RunBuilder['tell']>[1], 'at' | 'agent'>,
  ): void {
    const { time, ...others } = more;
    this.builder.tell(one, { at: span.at, agent, ...others, ...(time !== undefined && { time }) });
  }
}

/** The innermost of model calls that wrap each other. */
function isModelCall({ span, holdsModel }: SpanNode): boolean {
  return span.kind === 'model' && !holdsModel;
}
