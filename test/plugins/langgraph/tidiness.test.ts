import { expect, test, vi } from 'vitest';
import { createRuntime, memoryRecorder, type Runtime } from '../../../core/index.js';
import { approvingAuditor, ScriptedAuditor } from '../../../core/testing/index.js';
import { AuditHook } from '../../../plugins/langgraph/hook.js';
import { RunTree } from '../../../plugins/langgraph/run-tree.js';
import type { plainGraph } from '../../support/langgraph-teams.js';
import { task, teams } from '../../support/langgraph-teams.js';

vi.spyOn(console, 'error').mockImplementation(() => {});

/** A hooked team, and how much is still remembered of its runs. */
function hooked(team: keyof typeof teams, runtime: Runtime) {
  const tree = new RunTree();
  const graph = teams[team]({ ran: [] }).withConfig({ callbacks: [new AuditHook(runtime, [], tree)] });
  const { places, roots, tasks, graphs } = tree;
  const remembered = () => [places, roots, tasks, graphs].reduce((total, map) => total + map.size, 0);
  // The teams differ in state, not in how they are called.
  return { graph: graph as unknown as ReturnType<typeof plainGraph>, remembered };
}

test.each(Object.keys(teams) as (keyof typeof teams)[])(
  '%s: nothing of a run is kept when it is over',
  async (team) => {
    const recorder = memoryRecorder();
    const approving = createRuntime({ auditor: approvingAuditor(), recorder });

    const completed = hooked(team, approving);
    await completed.graph.invoke(task);
    expect(completed.remembered()).toBe(0);

    const abandoned = hooked(team, approving);
    for await (const _chunk of await abandoned.graph.stream(task, { streamMode: 'updates' })) break;
    await vi.waitFor(() => expect(abandoned.remembered()).toBe(0));
    await vi.waitFor(() => expect(recorder.records.at(-1)).toMatchObject({ outcome: { status: 'aborted' } }));

    const alarm = { kind: 'alarm', step: 0, agent: 'user', reason: 'wrong' };
    const halted = hooked(team, createRuntime({ auditor: new ScriptedAuditor([alarm]) }));
    await expect(halted.graph.invoke(task)).rejects.toThrow('audit alarm at step 0');
    expect(halted.remembered()).toBe(0);
  },
);
