import type { PgBoss } from 'pg-boss';
import { SetupError } from '../../core/index.js';
import { digestOf } from '../pipeline/digest.js';
import type { Sample } from '../sample.js';
import type { Stage } from '../stage.js';
import { SCHEMA } from './open-queue.js';

/** A stage's work on one input. Jobs name places in it. */
export interface Batch {
  readonly key: string;
  /** Which pipeline's. */
  readonly owner: string;
  readonly stage: string;
  /** Of the stage's name and options: who has another may not work on it. */
  readonly stageKey: string;
  /** Of pg-boss. Another one each time that a coordinator begins or takes it up. */
  readonly queue: string;
}

export interface BatchState {
  /** Workers work on `open` ones only. */
  readonly state: 'loading' | 'open' | 'closed' | 'failed' | 'done';
  readonly fault: string | null;
}

export interface PlacedSample {
  readonly at: number;
  readonly isDue: boolean;
  readonly text: string;
}

const BATCH = 'key, owner, stage, stage_key as "stageKey", queue';
const PAGE = 50;

export function stageKeyOf({ name, options }: Stage): string {
  return digestOf([name, options]);
}

/** Batches, their samples and results. Both are kept as the JSON that they were written as, to the byte. */
export class BatchStore {
  readonly #boss: PgBoss;

  constructor(boss: PgBoss) {
    this.#boss = boss;
  }

  /** Begins a batch, or takes up one that was left; what was done of it stays. @returns the queue that it had */
  async begin({ key, owner, stage, stageKey, queue }: Batch): Promise<string | undefined> {
    const [earlier] = await this.#rows<{ queue: string }>('select queue from $S.stage_batch where key = $1', [
      key,
    ]);
    // Of other options or other input, which nobody asks for any more.
    await this.#rows('delete from $S.stage_batch where owner = $1 and stage = $2 and key <> $3', [
      owner,
      stage,
      key,
    ]);
    await this.#rows(
      `insert into $S.stage_batch (key, owner, stage, stage_key, queue, state) values ($1, $2, $3, $4, $5, 'loading')
       on conflict (key) do update set queue = excluded.queue, state = 'loading', fault = null`,
      [key, owner, stage, stageKey, queue],
    );
    // Whatever was due then: results that stand in the pipeline's file are so no more.
    await this.#rows('update $S.stage_sample set due = false where batch = $1', [key]);
    return earlier?.queue;
  }

  async addSamples({ key }: Batch, samples: readonly PlacedSample[]): Promise<void> {
    await this.#rows(
      `insert into $S.stage_sample (batch, at, due, sample)
       select $1, * from unnest($2::int[], $3::boolean[], $4::text[])
       on conflict (batch, at) do update set due = excluded.due`,
      [key, samples.map(({ at }) => at), samples.map(({ isDue }) => isDue), samples.map(({ text }) => text)],
    );
  }

  /** Due places without a result. */
  async missing({ key }: Batch): Promise<readonly number[]> {
    const sql = 'select at from $S.stage_sample where batch = $1 and due and result is null order by at';
    return (await this.#rows<{ at: number }>(sql, [key])).map(({ at }) => at);
  }

  /** All samples, in order. */
  async *samples({ key }: Batch): AsyncGenerator<Sample> {
    for (let after = -1; ; ) {
      const page = await this.#rows<{ at: number; sample: string }>(
        `select at, sample from $S.stage_sample where batch = $1 and at > $2 order by at limit ${PAGE}`,
        [key, after],
      );
      for (const { at, sample } of page) {
        yield JSON.parse(sample);
        after = at;
      }
      if (page.length < PAGE) return;
    }
  }

  /** Nothing for one that has a result. */
  async sampleToDo({ key }: Batch, at: number): Promise<Sample | undefined> {
    const sql = 'select sample from $S.stage_sample where batch = $1 and at = $2 and result is null';
    const [row] = await this.#rows<{ sample: string }>(sql, [key, at]);
    return row && JSON.parse(row.sample);
  }

  /** The first that comes is kept: a worker that was taken for dead may come with its own. */
  async putResult({ key }: Batch, at: number, result: string): Promise<void> {
    const sql = 'update $S.stage_sample set result = $3 where batch = $1 and at = $2 and result is null';
    await this.#rows(sql, [key, at, result]);
  }

  /** The next due places, with the results that are there. */
  results({ key }: Batch, after: number): Promise<readonly { at: number; result: string | null }[]> {
    return this.#rows(
      `select at, result from $S.stage_sample where batch = $1 and due and at > $2 order by at limit ${PAGE}`,
      [key, after],
    );
  }

  /** Nothing for a batch that is no more, or that another coordinator has taken up since. */
  async stateOf({ key, queue }: Batch): Promise<BatchState | undefined> {
    const sql = 'select state, fault from $S.stage_batch where key = $1 and queue = $2';
    return (await this.#rows<BatchState>(sql, [key, queue]))[0];
  }

  async setState({ key, queue }: Batch, state: BatchState['state'], fault?: string): Promise<void> {
    const sql = `update $S.stage_batch set state = $3, fault = $4
                 where key = $1 and queue = $2 and state in ('loading', 'open')`;
    await this.#rows(sql, [key, queue, state, fault?.replaceAll('\0', '\uFFFD') ?? null]);
  }

  open(): Promise<readonly Batch[]> {
    return this.#rows(`select ${BATCH} from $S.stage_batch where state = 'open' order by begun`, []);
  }

  /** What a coordinator has left that was killed: nobody waits for it. */
  async closeAllOf(owner: string): Promise<void> {
    const sql = `update $S.stage_batch set state = 'closed' where owner = $1 and state in ('loading', 'open')`;
    await this.#rows(sql, [owner]);
  }

  /** @returns whether any is left */
  async removeDone(owner: string): Promise<boolean> {
    await this.#rows(`delete from $S.stage_batch where owner = $1 and state = 'done'`, [owner]);
    return (await this.#rows('select 1 from $S.stage_batch where owner = $1 limit 1', [owner])).length > 0;
  }

  async #rows<Row>(sql: string, values: readonly unknown[]): Promise<Row[]> {
    try {
      return (await this.#boss.getDb().executeSql(sql.replaceAll('$S', SCHEMA), [...values])).rows;
    } catch (error) {
      const what = `the database no longer answers (${(error as Error).message})`;
      throw new SetupError('queue', what, 'Once it does, the same command goes on', { cause: error });
    }
  }
}
