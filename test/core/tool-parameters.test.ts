import { expect, it } from 'vitest';
import { z } from 'zod';
import type { AuditRequest } from '../../core/auditor.js';
import type { ToolSpec } from '../../core/run-info.js';
import { approve, auditedRun, says } from '../support/audited-run.js';

const parameters = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] };

it('a tool is recorded, and shown to the auditor, with the schema of its arguments', async () => {
  const requests: AuditRequest[] = [];
  const audit = (request: AuditRequest) => {
    requests.push(request);
    return { kind: 'continue' as const };
  };
  const tools = [{ name: 'add', description: 'adds', parameters }];
  const { session, of } = auditedRun(audit, {}, { tools });
  await session.submit(says('3'));
  expect(of('run')[0]?.tools).toEqual(tools);
  expect(requests[0]?.tools).toEqual(tools);
});

it.each([
  ['a schema of zod', z.object({ a: z.number() })],
  ['a function', () => parameters],
  ['a list', [parameters]],
  ['null', null],
])('%s in its place is left out, and the run goes on', async (_, odd) => {
  const tools = [{ name: 'add', parameters: odd } as unknown as ToolSpec];
  const { session, of, diagnostics } = auditedRun(approve, {}, { tools });
  await session.submit(says('3'));
  expect(of('run')[0]).toMatchObject({ task: 'Sum 1 and 2.', tools: [{ name: 'add' }] });
  expect(of('run')[0]?.tools[0]).not.toHaveProperty('parameters.a');
  expect(diagnostics).toEqual([]);
});

it('a redactor that fails on a schema costs the schema', async () => {
  const redactor = {
    redact: (value: unknown) => {
      if (typeof value === 'object' && value !== null && 'properties' in value) throw new Error('no');
      return value as never;
    },
  };
  const { of } = auditedRun(approve, { redactor }, { tools: [{ name: 'add', parameters }] });
  expect(of('run')[0]?.tools).toEqual([{ name: 'add' }]);
});
