import { setTimeout as pause } from 'node:timers/promises';
import { Mastra } from '@mastra/core/mastra';
import { InMemoryStore } from '@mastra/core/storage';
import { type AnyWorkflow, createStep, createWorkflow } from '@mastra/core/workflows';
import { z } from 'zod';
import { everyTurn, type RuntimeOptions } from '../../core/index.js';
import { withAuditor } from '../../plugins/mastra/index.js';
import { audited, strict } from './agent-runs.js';

type Execute = Parameters<typeof createStep>[0] extends { execute: infer Code } ? Code : never;

/** What a step's code is given; the part that tests read. */
export interface StepInput {
  readonly inputData: unknown;
  readonly requestContext: { get(key: string): unknown };
  readonly resumeData?: unknown;
  readonly suspend: (payload?: unknown) => Promise<unknown>;
}

/** Steps that note in one list whose code ran. */
export function stepsThatNote() {
  const ran: string[] = [];
  /** @param says its output, or the code that makes it */
  const step = (id: string, says: unknown = `${id} is done`, more: object = {}, takesMs = 0) =>
    createStep({
      id,
      inputSchema: z.any(),
      outputSchema: z.any(),
      ...more,
      execute: (async (input: StepInput) => {
        if (takesMs > 0) await pause(takesMs);
        ran.push(id);
        return typeof says === 'function' ? says(input) : says;
      }) as Execute,
    });
  return { ran, step };
}

export function flow(id = 'flow'): AnyWorkflow {
  return createWorkflow({ id, inputSchema: z.any(), outputSchema: z.any() });
}

/** A workflow as a step of another; Mastra's own types know it only under looser compiler options than ours. */
export const asStep = (workflow: AnyWorkflow) =>
  workflow as unknown as ReturnType<ReturnType<typeof stepsThatNote>['step']>;

/** A workflow within a Mastra that saves its runs, and its audited twin. */
export function hooked(workflow: AnyWorkflow, options: RuntimeOptions = {}, storage = new InMemoryStore()) {
  const mastra = new Mastra({ workflows: { [workflow.id]: workflow }, storage, logger: false });
  const audit = audited({ auditor: strict(), schedule: everyTurn(), ...options });
  return { ...audit, mastra, storage, workflow, twin: withAuditor(workflow, audit.runtime) };
}

export const started = async (workflow: AnyWorkflow, inputData: unknown = 'go') =>
  (await workflow.createRun({ runId: 'one' })).start({ inputData });

export const resumed = async (workflow: AnyWorkflow, how: object = {}) =>
  (await workflow.createRun({ runId: 'one' })).resume(how);
