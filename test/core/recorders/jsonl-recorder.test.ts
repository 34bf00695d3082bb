import async_hooks from 'node:async_hooks';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AuditRecord } from '../../../core/record.js';
import { jsonlRecorder } from '../../../core/recorders/jsonl-recorder.js';
import { readRecords } from '../../../core/run-log/read-records.js';
import { approve, auditedRun, says } from '../../support/audited-run.js';
import { closeRecord, runRecord, turnRecord } from '../../support/records.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const newFile = () => path.join(temporaryFolder(), 'logs', 'deep', 'log.jsonl');
const lines = (file: string) => fs.readFileSync(file, 'utf8').split('\n').slice(0, -1);

async function read(file: string, warnings: string[] = []): Promise<AuditRecord[]> {
  const read = readRecords(file, { onWarning: (warning) => warnings.push(warning) });
  return Array.fromAsync(read, ({ record }) => record);
}

describe('what is appended', () => {
  it('can be read back, once it is acknowledged, whatever it holds', async () => {
    const file = newFile();
    const recorder = jsonlRecorder(file);
    const odd = turnRecord('run', 'x', {
      content: 'line\nend \u2028 \u0000 "quote" \ud800 naïve 日本',
      thought: '',
    });
    for (const [at, record] of [runRecord('run'), odd, closeRecord('run')].entries()) {
      await recorder.append(record);
      expect(lines(file)).toHaveLength(at + 1);
    }
    expect(await read(file)).toEqual([runRecord('run'), odd, closeRecord('run')]);
    await recorder.close();
  });

  it('stands in the order of the calls', async () => {
    const file = newFile();
    const recorder = jsonlRecorder(file);
    const records = Array.from({ length: 1_000 }, (_, at) => turnRecord('run', `${at}`));
    await Promise.all(records.map((record) => recorder.append(record)));
    await recorder.close();
    expect(await read(file)).toEqual(records);
  });

  it('follows what the file held before', async () => {
    const file = newFile();
    for (const id of ['one', 'two']) {
      const recorder = jsonlRecorder(file);
      await recorder.append(runRecord(id));
      await recorder.close();
    }
    expect(await read(file)).toEqual([runRecord('one'), runRecord('two')]);
  });

  it('is for the eyes of its owner only', async () => {
    const file = newFile();
    await jsonlRecorder(file).close();
    if (process.platform !== 'win32') expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is written and synced before it is acknowledged, together with what arrives at the same time', async () => {
    const requests = new Set<number>();
    let completed = 0;
    const hook = async_hooks.createHook({
      init: (id, type) => {
        if (type === 'FSREQCALLBACK') requests.add(id);
      },
      before: (id) => {
        if (requests.has(id)) completed++;
      },
    });
    onTestFinished(() => void hook.disable());
    const recorder = jsonlRecorder(newFile());
    hook.enable();
    for (let at = 1; at <= 10; at++) {
      await recorder.append(turnRecord('run', `${at}`));
      expect(completed).toBe(2 * at);
    }
    await Promise.all(Array.from({ length: 1_000 }, (_, at) => recorder.append(turnRecord('run', `${at}`))));
    expect(completed).toBe(22);
    await recorder.close();
  });
});

describe('close', () => {
  it('waits for what was appended before, whoever calls it', async () => {
    const file = newFile();
    const recorder = jsonlRecorder(file);
    const appended = Array.from({ length: 100 }, (_, at) => recorder.append(turnRecord('run', `${at}`)));
    void recorder.close();
    await recorder.close();
    expect(lines(file)).toHaveLength(100);
    await Promise.all(appended);
  });

  it('refuses what comes after it', async () => {
    const file = newFile();
    const recorder = jsonlRecorder(file);
    await recorder.close();
    await expect(recorder.append(runRecord('run'))).rejects.toThrow('the log file is closed');
    expect(fs.readFileSync(file, 'utf8')).toBe('');
  });
});

it('a record that is no JSON is dropped alone', async () => {
  const file = newFile();
  const recorder = jsonlRecorder(file);
  const bad = { ...runRecord('bad'), task: 1n as unknown as string };
  await expect(recorder.append(bad)).rejects.toThrow(TypeError);
  await recorder.append(runRecord('good'));
  await recorder.close();
  expect(await read(file)).toEqual([runRecord('good')]);
});

describe('a log whose last line was torn', () => {
  const whole = `${JSON.stringify(runRecord('run'))}\n`;
  const ends: [string, string][] = [
    ['in its middle', JSON.stringify(turnRecord('run', 'x')).slice(0, 50)],
    ['within a character', '{"task":"na\u00ef'],
    ['before its line end', JSON.stringify(turnRecord('run', 'whole'))],
    ['and whose mark was torn too', `{"v":1,"ty\n{"type":"reco`],
    ['and whose mark was torn after its line end', `{"v":1,"ty\n`],
    ['where it is long', `{"task":"${'x'.repeat(300_000)}`],
  ];

  it.each(ends)('%s: is marked when it is opened again, and reads back', async (_, end) => {
    const file = newFile();
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, Buffer.from(whole + end).subarray(0, end.endsWith('ï') ? -1 : undefined));
    const before = fs.readFileSync(file);
    for (const id of ['next', 'last']) {
      const recorder = jsonlRecorder(file);
      await recorder.append(turnRecord('run', id));
      await recorder.close();
    }
    expect(fs.readFileSync(file).subarray(0, before.length)).toEqual(before);
    expect(lines(file).filter((line) => line.includes('"recovery"'))).toHaveLength(1);
    const ids = (await read(file)).map((record) => (record.type === 'turn' ? record.turn.id : record.type));
    expect(ids.filter((id) => id !== 'whole')).toEqual(['run', 'next', 'last']);
    expect(ids.includes('whole')).toBe(end.includes('whole'));
  });

  it('is left as it is while nothing is appended', async () => {
    const file = newFile();
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, `${whole}{"v":`);
    await jsonlRecorder(file).close();
    expect(fs.readFileSync(file, 'utf8')).toBe(`${whole}{"v":`);
  });
});

describe('where it cannot write', () => {
  it('is a set-up fault that names the file', () => {
    const folder = temporaryFolder();
    expect(() => jsonlRecorder(folder)).toThrow(
      `[agentforesight] [jsonl] cannot append to ${folder} (EISDIR`,
    );
    fs.writeFileSync(path.join(folder, 'file'), '');
    expect(() => jsonlRecorder(path.join(folder, 'file', 'log.jsonl'))).toThrow('[agentforesight] [jsonl]');
  });

  it.each([
    ['package.json', '{\n  "name": "x"\n}\n'],
    ['notes.txt', 'notes'],
    ['other.jsonl', '{"a":1}\n'],
  ])('refuses %s, which is no log, and leaves it as it was', (name, content) => {
    const file = path.join(temporaryFolder(), name);
    fs.writeFileSync(file, content);
    expect(() => jsonlRecorder(file)).toThrow(
      `[agentforesight] [jsonl] ${file} exists and is no run log. Give another path.`,
    );
    expect(fs.readFileSync(file, 'utf8')).toBe(content);
  });

  it.runIf(fs.existsSync('/dev/full'))(
    'a full disk drops records, is counted, and harms no host',
    async () => {
      const recorder = jsonlRecorder('/dev/full');
      const { runtime, session, diagnostics } = auditedRun(approve, { recorder });
      for (const words of ['one', 'two'])
        expect(await session.submit(says(words))).toEqual({ action: 'proceed' });
      expect(await session.close({ status: 'completed' })).toEqual({ action: 'proceed' });
      expect(await runtime.flush()).toEqual({ written: 0, dropped: 7, pending: 0 });
      expect(diagnostics.map(({ code }) => code)).toEqual(Array(7).fill('record-dropped'));
      expect(diagnostics[0]?.message).toContain('ENOSPC');
      await expect(recorder.append(runRecord('run'))).rejects.toThrow('ENOSPC');
      await recorder.close();
    },
  );

  it('drops what no longer fits into the memory that waits for the disk', async () => {
    const recorder = jsonlRecorder(newFile());
    const content = 'x'.repeat(60 * 2 ** 20);
    const appended = Array.from({ length: 5 }, (_, at) =>
      recorder.append(turnRecord('run', `${at}`, { content })).then(
        () => 'written',
        (cause: Error) => cause.message,
      ),
    );
    expect(await Promise.all(appended)).toEqual([
      ...Array(4).fill('written'),
      expect.stringMatching(/bytes wait for the disk/),
    ]);
    await recorder.append(runRecord('later'));
    await recorder.close();
  });
});
