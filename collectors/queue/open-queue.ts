import type { PgBoss } from 'pg-boss';
import { postgresFault, postgresPlace, SetupError } from '../../core/index.js';
import type { QueueOptions } from './queue-options.js';

/** Holds pg-boss's tables and ours. Another layout takes another schema, so that no two programs of different ones meet. */
export const SCHEMA = 'agentforesight_queue_v1';

/** Looks for jobs whose worker has died. */
const SUPERVISE_EVERY_SECONDS = 5;

const CONNECTIONS = 4;

/** Makes its tables on first use. @throws SetupError when the server cannot be reached */
export async function openQueue({ connectionString }: QueueOptions): Promise<PgBoss> {
  const place = postgresPlace(connectionString);
  const { PgBoss } = await import('pg-boss').catch((cause) => {
    const remedy = 'Install pg-boss, an optional peer of agentforesight: npm install pg-boss';
    throw new SetupError('queue', 'the package pg-boss is not installed', remedy, { cause });
  });
  const boss = new PgBoss({
    connectionString,
    schema: SCHEMA,
    application_name: 'agentforesight',
    max: CONNECTIONS,
    schedule: false,
    superviseIntervalSeconds: SUPERVISE_EVERY_SECONDS,
    monitorIntervalSeconds: SUPERVISE_EVERY_SECONDS,
  });
  // What matters of it also fails a query of ours, which tells.
  boss.on('error', () => {});
  try {
    await boss.start();
    await boss.getDb().executeSql(TABLES);
    return boss;
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {});
    const { message } = postgresFault(error, connectionString);
    throw new SetupError('queue', `cannot use ${place} (${message})`, 'Check server, user and password');
  }
}

/** One query, and so one transaction: processes that come at once make one set of tables. Its number means nothing. */
const TABLES = `
  select pg_advisory_xact_lock(4157330287);
  create table if not exists ${SCHEMA}.stage_batch (
    key text primary key,
    owner text not null,
    stage text not null,
    stage_key text not null,
    queue text not null,
    state text not null check (state in ('loading', 'open', 'closed', 'failed', 'done')),
    fault text,
    begun timestamptz not null default now()
  );
  create table if not exists ${SCHEMA}.stage_sample (
    batch text not null references ${SCHEMA}.stage_batch on delete cascade,
    at int not null,
    due boolean not null,
    sample text not null,
    result text,
    primary key (batch, at)
  );`;
