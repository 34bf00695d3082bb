/** What the prebuilt agents call the node that calls their model: `createAgent`, and `createReactAgent` with all that is built on it. */
const PREBUILT = new Set(['model_request', 'agent']);

/**
 * Whether a node does nothing but call a model, so that under `gating: 'overlap'` it may run while the verdict on what
 * came before it is pending. A node of the user's own says so: `addNode('plan', plan, { metadata: { audit: 'overlap' } })`.
 */
export function runsModelOnly(
  node: string,
  metadata: Readonly<Record<string, unknown>> | undefined,
): boolean {
  return PREBUILT.has(node) || metadata?.['audit'] === 'overlap';
}
