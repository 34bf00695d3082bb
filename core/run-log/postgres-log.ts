import { hash } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import { InputError, SetupError } from '../errors.js';
import { openPool } from '../recorders/postgres-access.js';
import {
  type PostgresLogOptions,
  postgresFault,
  postgresPlace,
  tableName,
} from '../recorders/postgres-place.js';
import { isOurs } from '../recorders/postgres-table.js';
import type { LogLines, RawLine } from './read-lines.js';

const PAGE_ROWS = 500;
/** A page of long records is cut short, so that it stays in memory. */
const PAGE_BYTES = 16 * 2 ** 20;

/** A log that {@link postgresRecorder} keeps, to be read as if it were a file. A line's number is its row's id. */
export interface PostgresRunLog extends LogLines {
  /** Another one once records have come. */
  fingerprint(): Promise<string>;
}

/**
 * @example for await (const { run } of readRuns(postgresRunLog({ connectionString }))) …
 * @throws SetupError for a connection string or a table that is none
 */
export function postgresRunLog(options: PostgresLogOptions): PostgresRunLog {
  const { connectionString } = options;
  const table = tableName(options);
  const name = `${postgresPlace(connectionString)}/${table}`;
  return {
    name,
    async *lines(maxBytes) {
      const pool = await open();
      const client = await pool.connect();
      try {
        // One snapshot: whoever is writing meanwhile shows no record without those before it.
        await client.query('begin transaction isolation level repeatable read read only');
        yield* rows(client, maxBytes);
      } finally {
        client.release(true);
        await pool.end();
      }
    },
    async fingerprint() {
      const pool = await open();
      try {
        const { rows: found } = await attempt(
          pool.query(`select count(*), max(id), extract(epoch from max(at)) as latest from ${table}`),
        );
        return hash('sha256', JSON.stringify(found));
      } finally {
        await pool.end();
      }
    },
  };

  async function open(): Promise<Pool> {
    const pool = await openPool(connectionString);
    try {
      if (await attempt(isOurs(pool, table))) return pool;
      const remedy = 'Give a database that a recorder has written to';
      throw new InputError({ file: name }, 'there is no such table', remedy);
    } catch (error) {
      await pool.end();
      throw error;
    }
  }

  async function* rows(client: ClientBase, maxBytes: number): AsyncGenerator<RawLine> {
    for (let after = '0'; ; ) {
      const page = await attempt(
        client.query<{ id: string; record: string | null }>(
          `select id, case when bytes <= $2 then record end as record
           from (
             select id, record, bytes, sum(least(bytes, $2)) over (order by id) - least(bytes, $2) as before
             from (
               select id, record, octet_length(record)::bigint as bytes
               from ${table} where id > $1 order by id limit ${PAGE_ROWS}
             ) as page
           ) as weighed
           where before <= ${PAGE_BYTES} order by id`,
          [after, maxBytes],
        ),
      );
      for (const { id, record } of page.rows) {
        yield { number: Number(id), bytes: Buffer.from(record ?? ''), ended: true, tooLong: record === null };
        after = id;
      }
      if (page.rows.length === 0) return;
    }
  }

  async function attempt<Value>(query: Promise<Value>): Promise<Value> {
    try {
      return await query;
    } catch (error) {
      if (error instanceof SetupError) throw error;
      const { message } = postgresFault(error, connectionString);
      throw new InputError({ file: name }, `cannot be read: ${message}`, 'Check server, user and password');
    }
  }
}
