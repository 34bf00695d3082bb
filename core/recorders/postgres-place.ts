import { messageOf } from '../diagnostics.js';
import { SetupError } from '../errors.js';

const DEFAULT_TABLE = 'agentforesight_records';

/** Which log of a database. */
export interface PostgresLogOptions {
  /** `postgres://user@host:5432/database`. The password may stand in `PGPASSWORD`, or in `~/.pgpass`. */
  readonly connectionString: string;
  /** Default: `agentforesight_records`. */
  readonly table?: string | undefined;
}

/** The name of the log's table, which needs no quotes. @throws SetupError for one that would */
export function tableName({ table = DEFAULT_TABLE }: PostgresLogOptions): string {
  if (/^[a-z_][a-z\d_]{0,62}$/.test(table)) return table;
  const what = `a table cannot be named ${JSON.stringify(table)}`;
  throw new SetupError('postgres', what, 'Take lower-case letters, digits and underscores, 63 at most');
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

export function codeOf(error: unknown): string | undefined {
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
