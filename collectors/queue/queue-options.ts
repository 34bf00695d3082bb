export interface QueueOptions {
  /** `postgres://user@host:5432/database`. The password may stand in `PGPASSWORD`, or in `~/.pgpass`. */
  readonly connectionString: string;
  /** A job whose worker has not been heard of for so long is given to another. Default: 30; at least 10. */
  readonly leaseSeconds?: number | undefined;
}

export const LEASE_SECONDS = 30;
