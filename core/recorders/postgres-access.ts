import type { Pool, PoolConfig } from 'pg';
import { SetupError } from '../errors.js';
import { codeOf } from './postgres-place.js';

const CONNECT_MS = 10_000;

/**
 * A pool of one connection, which opens another when that is lost and keeps no process from its end.
 * @param silenceMs a server that takes longer over a query counts as lost
 */
export async function openPool(connectionString: string, silenceMs?: number): Promise<Pool> {
  const { Pool } = await import('pg').then(
    (pg) => pg.default,
    (cause) => {
      const remedy = 'Install pg, an optional peer of agentforesight: npm install pg';
      throw new SetupError('postgres', 'the package pg is not installed', remedy, { cause });
    },
  );
  const config: PoolConfig = {
    connectionString,
    max: 1,
    application_name: 'agentforesight',
    connectionTimeoutMillis: CONNECT_MS,
    ...(silenceMs !== undefined && { query_timeout: silenceMs }),
    keepAlive: true,
    allowExitOnIdle: true,
  };
  const pool = new Pool(config);
  // A connection that is lost while idle: the next query opens another.
  pool.on('error', () => {});
  return pool;
}

/** SQLSTATEs of a server that is not there, not yet or no more: class 08, shutting down, starting up, too many clients. */
const AWAY = /^(08|57P0|53300)/;

/**
 * Whether the same may go well with another connection: errors of Node have other codes than SQLSTATEs, which have a digit
 * in them, or none.
 */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  return code === undefined || !/^(?=.*\d)[\dA-Z]{5}$/.test(code) || AWAY.test(code);
}
