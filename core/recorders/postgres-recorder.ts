import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Pool } from 'pg';
import { SetupError } from '../errors.js';
import type { AuditRecord } from '../record.js';
import type { Recorder } from '../recorder.js';
import { AppendQueue, type Queued } from './append-queue.js';
import { isConnectionLost, openPool } from './postgres-access.js';
import { type PostgresLogOptions, postgresFault, postgresPlace, tableName } from './postgres-place.js';
import { ensureTable } from './postgres-table.js';

const MAX_BATCH_BYTES = 8 * 2 ** 20;

/** Above what one batch takes. */
const SILENCE_MS = 30_000;

const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5_000;

export interface PostgresRecorderOptions extends PostgresLogOptions {
  /** How long a batch is tried again while the server is away; then its records are dropped. In ms; default 30,000. */
  readonly retryForMs?: number | undefined;
}

/** A recorder that holds a connection. Closing waits for what was appended before. */
export interface PostgresRecorder extends Recorder {
  close(): Promise<void>;
}

interface Entry extends Queued {
  readonly number: number;
  readonly record: AuditRecord;
  readonly text: string;
}

/**
 * Inserts records into a table, made on first use, that any number of processes may share; acknowledges a record once it is
 * committed. Records that arrive while a batch is under way share the next one, so a thousand concurrent runs cost about
 * as many commits as one. A batch whose connection was lost is sent again, and kept once.
 * @throws SetupError when the server cannot be reached, or the table is another's
 */
export async function postgresRecorder(options: PostgresRecorderOptions): Promise<PostgresRecorder> {
  const { connectionString, retryForMs = 30_000 } = options;
  const [place, table] = [postgresPlace(connectionString), tableName(options)];
  const pool = await openPool(connectionString, SILENCE_MS);
  try {
    await ensureTable(pool, table);
  } catch (error) {
    await pool.end();
    if (error instanceof SetupError) throw error;
    const { message } = postgresFault(error, connectionString);
    throw new SetupError(
      'postgres',
      `cannot write to ${place} (${message})`,
      'Check server, user and password',
    );
  }
  return new PostgresLog(pool, table, retryForMs, (error) => postgresFault(error, connectionString));
}

class PostgresLog implements PostgresRecorder {
  readonly #pool: Pool;
  readonly #table: string;
  readonly #retryForMs: number;
  readonly #told: (error: unknown) => Error;
  readonly #writer = randomUUID();
  #number = 0;
  readonly #queue = new AppendQueue<Entry>('database', MAX_BATCH_BYTES, (batch) => this.#writeBatch(batch));
  /** The last batch found no server. */
  #away = false;
  #closing: Promise<void> | undefined;

  constructor(pool: Pool, table: string, retryForMs: number, told: (error: unknown) => Error) {
    this.#pool = pool;
    this.#table = table;
    this.#retryForMs = retryForMs;
    this.#told = told;
  }

  append(record: AuditRecord): Promise<void> {
    return new Promise((acknowledge, drop) => {
      if (this.#closing) throw new Error('the recorder is closed');
      const text = JSON.stringify(record);
      const bytes = Buffer.byteLength(text);
      this.#queue.add({ number: this.#number++, record, text, bytes, acknowledge, drop });
    });
  }

  close(): Promise<void> {
    this.#closing ??= (async () => {
      await this.#queue.settled();
      await this.#pool.end();
    })();
    return this.#closing;
  }

  async #writeBatch(batch: readonly Entry[]): Promise<void> {
    try {
      await this.#insertPersistently(batch);
      for (const entry of batch) entry.acknowledge();
    } catch (error) {
      const cause = this.#told(error);
      for (const entry of batch) entry.drop(cause);
    }
  }

  /** After a batch in vain the next ones have one try each, until one succeeds. */
  async #insertPersistently(batch: readonly Entry[]): Promise<void> {
    const start = performance.now();
    for (let pauseMs = FIRST_RETRY_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_RETRY_MS)) {
      try {
        await this.#insert(batch);
        this.#away = false;
        return;
      } catch (error) {
        const isOver = this.#away || performance.now() - start + pauseMs > this.#retryForMs;
        const isLost = isConnectionLost(error);
        if (isLost && !isOver) await setTimeout(pauseMs);
        else {
          this.#away = isLost;
          throw error;
        }
      }
    }
  }

  /** A batch that comes twice, since nobody heard of its commit, is kept once: writer and number are unique. */
  async #insert(batch: readonly Entry[]): Promise<void> {
    await this.#pool.query(
      `insert into ${this.#table} (writer, number, run_id, type, at, record)
       select $1, number, run_id, type, to_timestamp(at / 1000.0), record
       from unnest($2::bigint[], $3::text[], $4::text[], $5::float8[], $6::text[]) as batch (number, run_id, type, at, record)
       order by number
       on conflict (writer, number) do nothing`,
      [
        this.#writer,
        batch.map(({ number }) => number),
        batch.map(({ record }) => ('runId' in record ? asText(record.runId) : null)),
        batch.map(({ record }) => record.type),
        batch.map(({ record }) => record.at),
        batch.map(({ text }) => text),
      ],
    );
  }
}

/** For people to search by; a text of Postgres has no NUL. The record itself is JSON, which spells it out. */
function asText(id: string): string {
  return id.replaceAll('\0', '\uFFFD');
}
