import type { Pool, PoolConfig } from 'pg';
import { messageOf } from '../diagnostics.js';
import { SetupError } from '../errors.js';

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

/** `postgres://db.example:5432/runs`: what may be told of a connection string. @throws SetupError for what is none */
export function postgresPlace(connectionString: string): string {
  const url = URL.canParse(connectionString) ? new URL(connectionString) : undefined;
  if (url && /^postgres(ql)?:$/.test(url.protocol)) return `postgres://${url.host}${url.pathname}`;
  throw new SetupError(
    'postgres',
    'the connection string is no postgres:// URL',
    'Give postgres://user@host:5432/database; the password may stand in PGPASSWORD',
  );
}

/** What was wrong, as an error without the connection string or the password in it, nor as its cause. */
export function postgresFault(error: unknown, connectionString: string): Error {
  const { password, searchParams } = new URL(connectionString);
  const passwords = [password, decoded(password), searchParams.get('password') ?? ''];
  const secrets = [connectionString, ...passwords].filter((secret) => secret !== '');
  const told = secrets.reduce((text, secret) => text.replaceAll(secret, '***'), describe(error));
  return Object.assign(new Error(told), { code: codeOf(error) });
}

/** SQLSTATEs of a server that is not there, not yet or no more: class 08, shutting down, starting up, too many clients. */
const AWAY = /^(08|57P0|53300)/;

/** Whether the same may go well with another connection: errors of Node have other codes than SQLSTATEs, or none. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  return code === undefined || !/^[\dA-Z]{5}$/.test(code) || AWAY.test(code);
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Where each of a host's addresses refuses, Node says so in parts and leaves the whole without a message. */
function describe(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join(', ');
  return messageOf(error);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
