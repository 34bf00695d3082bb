/**
 * Audits 1,000 runs at once into one log until it is killed, and says `<run id> <turn id>` on stdout, at once and
 * unbuffered, whenever a submit has resolved.
 *
 * Usage: `node --import tsx crash-writer.ts <log or postgres:// URL> <run id prefix> [<acknowledgements> acknowledging|writing]`. With the
 * last two it kills itself: in the moment of that acknowledgement, or while the batch after it is being written.
 */
import fs from 'node:fs';
import { createRuntime, everyTurn, jsonlRecorder, postgresRecorder } from '../../core/index.js';

const [file = '', prefix = '', lifetime = 'Infinity', moment] = process.argv.slice(2);
let acknowledged = 0;

const runtime = createRuntime({
  auditor: { audit: async () => ({ kind: 'continue' }) },
  schedule: everyTurn(),
  recorder: file.startsWith('postgres:')
    ? await postgresRecorder({ connectionString: file })
    : jsonlRecorder(file),
});

async function run(runId: string): Promise<never> {
  const session = runtime.openSession({ runId, task: 'Write until the lights go out.' });
  for (let at = 1; ; at++) {
    const id = `${at}`;
    // Long enough that a batch is many pages, where a kill may cut it.
    await session.submit({ id, agent: 'writer', kind: 'agent', content: `turn ${at} `.repeat(200) });
    fs.writeSync(1, `${runId} ${id}\n`);
    if (++acknowledged < Number(lifetime)) continue;
    if (moment === 'acknowledging') die();
    // The recorder waits for one such tick before it writes, and asked for it first.
    else setImmediate(die);
  }
}

function die(): void {
  process.kill(process.pid, 'SIGKILL');
}

await Promise.all(Array.from({ length: 1_000 }, (_, at) => run(`${prefix}-${at}`)));
