import { AIMessage } from '@langchain/core/messages';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { describe, expect, test, vi } from 'vitest';
import { AuditHalt, createRuntime } from '../../../core/index.js';
import { type LangGraphHost, withAuditor } from '../../../plugins/langgraph/index.js';
import { alarmAtEveryTurn, offences } from '../../support/alarms.js';
import { node, noting, pause, watching, wrongSpotter, input } from '../../support/graphs.js';

vi.spyOn(console, 'error').mockImplementation(() => {});

const quickly = { maxAttempts: 3, initialInterval: 1, jitter: false, logWarning: false };

/** Three nodes; the second has little time. */
function hurried(ran: string[], options: object, work = noting(ran, 'second', 2), words = 'first speaks') {
  const builder = new StateGraph(MessagesAnnotation)
    .addNode('first', node(async () => { await noting(ran, 'first')(); return words; }))
    .addNode('second', node(work), options)
    .addNode('third', node(noting(ran, 'third')))
    .addEdge(START, 'first')
    .addEdge('first', 'second')
    .addEdge('second', 'third')
    .addEdge('third', END);
  return builder;
}

test('PROBE', async () => {
  for (const [name, options] of Object.entries({
    timeout: { timeout: 40 }, idle: { timeout: { idleTimeout: 40 } }, retry: { timeout: 40, retryPolicy: quickly },
    handler: { timeout: 40, errorHandler: async () => ({ messages: [new AIMessage('handled')] }) },
  })) for (const delay of [10, 70]) for (const words of ['first speaks', 'WRONG']) {
    const ran: string[] = [];
    const w = watching({ auditor: wrongSpotter(delay) });
    const r = await withAuditor(hurried(ran, options, undefined, words).compile(), w.runtime).invoke(input).catch((e) => e);
    await pause(150);
    console.log(name, delay, words, r instanceof Error ? `${r.name} ${r.message}` : r.messages.map((m: AIMessage) => m.text), ran.join(','), w.told().length, JSON.stringify(w.recorder.records.at(-1)));
  }
  for (const delay of [10, 70]) {
    const ran: string[] = [];
    const g = hurried(ran, {}).compile(); g.stepTimeout = 40;
    const w = watching({ auditor: wrongSpotter(delay) });
    const r = await withAuditor(g, w.runtime).invoke(input).catch((e) => e);
    await pause(150);
    console.log('step', delay, r instanceof Error ? `${r.name} ${r.message}` : r.messages.map((m: AIMessage) => m.text), ran.join(','), JSON.stringify(w.recorder.records.at(-1)));
  }
});
