import { describe, expect, it } from 'vitest';
import {
  AuditHalt,
  brandAuditHalt,
  type HaltDetails,
  haltMessage,
  InputError,
  SetupError,
} from '../../core/errors.js';

const details: HaltDetails = {
  runId: 'run',
  alarm: { kind: 'alarm', step: 3, agent: 'solver', reason: 'wrong sum' },
  failure: undefined,
  turns: [],
  verdicts: [],
};

describe('AuditHalt', () => {
  it("is also what a framework's own error becomes by the brand", () => {
    class Interrupted extends Error implements HaltDetails {
      readonly alarm = details.alarm;
      readonly failure = details.failure;
      readonly runId = details.runId;
      readonly turns = details.turns;
      readonly verdicts = details.verdicts;
    }
    const error = new Interrupted();
    expect(error).not.toBeInstanceOf(AuditHalt);
    brandAuditHalt(error);
    expect(error).toBeInstanceOf(AuditHalt);
    expect(error).toBeInstanceOf(Interrupted);
    expect(Object.keys(error)).not.toContain('Symbol(agentforesight.AuditHalt)');
  });

  it.each([null, undefined, 'AuditHalt', new Error('x'), { name: 'AuditHalt' }])('is not %s', (value) => {
    expect(value instanceof AuditHalt).toBe(false);
  });

  it('carries its details and says them in one line', () => {
    const error = new AuditHalt(details);
    expect(error).toMatchObject({ name: 'AuditHalt', ...details });
    expect(error.message).toBe('audit alarm at step 3 (solver): wrong sum');
    const failure = {
      step: 3,
      turnId: 'turn-3',
      failure: { kind: 'deadline', message: 'no verdict' },
    } as const;
    expect(haltMessage({ ...details, alarm: undefined, failure })).toBe(
      'the audit of step 3 failed (deadline): no verdict; onAuditFailure is "halt"',
    );
  });
});

describe('errors for people', () => {
  it('say where, what and what to do, and keep the cause', () => {
    const cause = new Error('EACCES');
    const setup = new SetupError('jsonl', 'cannot append to a.jsonl', 'Check its folder', { cause });
    expect(setup.message).toBe('[agentforesight] [jsonl] cannot append to a.jsonl. Check its folder.');
    expect(setup.cause).toBe(cause);
  });

  it.each([
    [{ file: 'a.jsonl' }, 'a.jsonl: it is bad. Mend it.'],
    [{ file: 'a.jsonl', line: 3 }, 'a.jsonl:3: it is bad. Mend it.'],
    [{ file: 'a.jsonl', line: 3, field: 'turn.id' }, 'a.jsonl:3 (turn.id): it is bad. Mend it.'],
  ])('name the place in the file: %j', (location, message) => {
    expect(new InputError(location, 'it is bad', 'Mend it')).toMatchObject({ message, location });
  });
});
