import type { Span } from './span.js';

export interface SpanNode {
  readonly span: Span;
  readonly children: SpanNode[];
  /** Its own agent's, or that of the nearest span around it. */
  agent: string | undefined;
  /** Whether a model call stands inside. */
  holdsModel: boolean;
  /**
   * Whether model calls went on beside it: some tracers lose the context, and put the calls of a node's function next to the
   * node's span.
   */
  isBesideModel: boolean;
}

export interface SpanTree {
  /** Every node, parents before their children, side by side ones by start: the order in which the run went. */
  readonly roots: readonly SpanNode[];
  /** Spans whose parent is not in the file. */
  readonly orphans: number;
}

export function spanTree(spans: readonly Span[]): SpanTree {
  const nodes = new Map<string, SpanNode>(
    spans.map((span) => [
      span.id,
      { span, children: [], agent: undefined, holdsModel: false, isBesideModel: false },
    ]),
  );
  const rings = ringsIn(nodes);
  const roots: SpanNode[] = [];
  let orphans = 0;
  for (const node of nodes.values()) {
    const { parentId } = node.span;
    const parent = rings.has(node) ? undefined : nodes.get(parentId ?? '');
    if (parent) parent.children.push(node);
    else {
      roots.push(node);
      if (parentId !== undefined) orphans++;
    }
  }
  for (const { children } of nodes.values()) children.sort(byStart);
  roots.sort(byStart);
  for (const root of roots) inherit(root);
  return { roots, orphans };
}

/** Spans that are their own ancestors, as a hostile file may have it. Each is looked at once. */
function ringsIn(nodes: ReadonlyMap<string, SpanNode>): ReadonlySet<SpanNode> {
  const rings = new Set<SpanNode>();
  const done = new Set<SpanNode>();
  for (const start of nodes.values()) {
    const walked: SpanNode[] = [];
    const here = new Set<SpanNode>();
    let at: SpanNode | undefined = start;
    for (; at && !done.has(at) && !here.has(at); at = nodes.get(at.span.parentId ?? '')) {
      walked.push(at);
      here.add(at);
    }
    if (at && here.has(at)) for (const node of walked.slice(walked.indexOf(at))) rings.add(node);
    for (const node of walked) done.add(node);
  }
  return rings;
}

/** Without recursion: a chain of spans may be as long as the file. */
function inherit(root: SpanNode): void {
  const order: SpanNode[] = [];
  const waiting = [root];
  while (waiting.length > 0) {
    const node = waiting.pop() as SpanNode;
    order.push(node);
    for (const child of node.children) child.agent = child.span.agent ?? node.agent ?? node.span.agent;
    waiting.push(...node.children);
  }
  root.agent = root.span.agent;
  for (const node of order.toReversed()) {
    node.holdsModel = node.children.some(asksModel);
    const asking = node.children.filter(asksModel);
    for (const child of node.children)
      child.isBesideModel = !asksModel(child) && asking.some((other) => isAtOnce(child.span, other.span));
  }
}

function asksModel({ span, holdsModel }: SpanNode): boolean {
  return span.kind === 'model' || holdsModel;
}

function isAtOnce(one: Span, other: Span): boolean {
  const [start = 0, end = start] = [one.start, one.end];
  const [from = 0, to = from] = [other.start, other.end];
  return start === from || (start < to && from < end);
}

function byStart(one: SpanNode, other: SpanNode): number {
  return (one.span.start ?? 0) - (other.span.start ?? 0);
}
