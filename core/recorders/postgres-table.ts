import type { Pool } from 'pg';
import { SetupError } from '../errors.js';

/** Of the table, as its comment has it. The records have a version of their own. */
const VERSION = 1;

const comment = (version: number | string) => `agentforesight run log, table version ${version}`;

/** Makes the table unless it is there. @throws SetupError when another one has its name, or the database is not in UTF-8 */
export async function ensureTable(pool: Pool, table: string): Promise<void> {
  if (await isOurs(pool, table)) return;
  // One query, and so one transaction: processes that come at once make one table. Its number means nothing.
  await pool.query(`
    select pg_advisory_xact_lock(4_157_330_286);
    create table if not exists ${table} (
      id bigint generated always as identity primary key,
      writer uuid not null,
      number bigint not null,
      run_id text,
      type text not null,
      at timestamptz not null,
      record text not null,
      unique (writer, number)
    );
    comment on table ${table} is '${comment(VERSION)}';`);
}

/** Whether the log is there. @throws SetupError when another table has its name */
export async function isOurs(pool: Pool, table: string): Promise<boolean> {
  const { rows } = await pool.query<{ encoding: string; found: boolean; comment: string | null }>(
    `select current_setting('server_encoding') as encoding, to_regclass($1) is not null as found,
      obj_description(to_regclass($1), 'pg_class') as comment`,
    [table],
  );
  const { encoding, found, comment: said } = rows[0] as (typeof rows)[0];
  if (encoding !== 'UTF8')
    throw new SetupError('postgres', `the database is in ${encoding}`, 'Give one whose encoding is UTF8');
  if (!found || said === comment(VERSION)) return found;
  if (said?.startsWith(comment('')))
    throw new SetupError(
      'postgres',
      `${table}: ${said}; this program knows ${VERSION}`,
      'Update agentforesight',
    );
  throw new SetupError('postgres', `the table ${table} exists and is no run log`, 'Give another table');
}
