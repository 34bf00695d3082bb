import { AuditHalt } from 'agentforesight';

/** @returns whether it was halted @throws what else it rejects with */
export function halted(run: Promise<unknown>): Promise<boolean> {
  return run.then(
    () => false,
    (error: unknown) => {
      if (!(error instanceof AuditHalt)) throw error;
      return true;
    },
  );
}
