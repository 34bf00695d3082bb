// From a hooked run to training data: recorded with consent, praised, given a fault that is replayed through the real graph, exported.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AIMessage } from '@langchain/core/messages';
import { END, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { createRuntime, jsonlRecorder } from 'agentforesight';
import {
  callbackScorer,
  exporterKinds,
  feedbackScorer,
  filterStage,
  ingestSource,
  injectStage,
  type Judge,
  omegaOf,
  outcomeStage,
  runPipeline,
  type Sample,
  samplesIn,
  scrubStage,
  splitStage,
} from 'agentforesight/collectors';
import { langGraphReplayer, withAuditor } from 'agentforesight/langgraph';

const graph = new StateGraph(MessagesAnnotation)
  .addNode('planner', () => ({ messages: [new AIMessage('First multiply 17 by 23, then tell the result.')] }))
  .addNode('solver', ({ messages }) => {
    const [a = 0, b = 0] = (messages.at(-1)?.text.match(/\d+/g) ?? []).map(Number);
    return { messages: [new AIMessage(`The answer: ${a * b}`)] };
  })
  .addEdge(START, 'planner')
  .addEdge('planner', 'solver')
  .addEdge('solver', END)
  .compile({ checkpointer: new MemorySaver() });

const folder = mkdtempSync(path.join(tmpdir(), 'agentforesight-'));
const log = path.join(folder, 'runs.jsonl');
const recorder = jsonlRecorder(log);
const runtime = createRuntime({ recorder, consent: true });
const question = { messages: [{ role: 'user', content: 'What is 17 * 23?' }] };
await withAuditor(graph, runtime).invoke(question, { configurable: { thread_id: '1' } });
await runtime.flush();

const source = ingestSource({ paths: [log] });
const collected = async () =>
  (await Array.fromAsync(source.read(new AbortController().signal))).flatMap((one) => one.samples);
const [recorded] = await collected();
await runtime.feedback(recorded?.id ?? '', { value: 1, by: 'customer' });
await recorder.close();

/** Stands for `chatJudge({ baseURL, model })`: writes the fault that it is asked for. */
const judge: Judge = {
  name: 'scripted',
  async ask({ schema }) {
    const turn = { content: 'First multiply 17 by 32, then tell the result.' };
    return { answer: schema.parse({ turn, reason: 'the task has 23, not 32' }) };
  },
};
const isRight = callbackScorer({
  name: 'product',
  score: async ({ turns }: Sample) => ({
    value: turns.at(-1)?.content.includes('391') ? 1 : 0,
    reason: 'its last words',
  }),
});

const corpus = path.join(folder, 'corpus');
await runPipeline({
  source,
  stages: [
    outcomeStage({ scorers: [feedbackScorer()] }),
    filterStage(),
    injectStage({
      judge,
      omega: omegaOf([isRight]),
      replayer: langGraphReplayer(graph),
      categories: ['wrong-plan'],
    }),
    splitStage(),
    scrubStage(),
  ],
  exporters: [exporterKinds.aftraj.create({})],
  folder: corpus,
});

const samples = await Array.fromAsync(samplesIn(path.join(corpus, '06-scrub.jsonl')));
for (const { label, turns } of samples)
  console.log(
    label,
    turns.map(({ content }) => content),
  );
assert.deepEqual(
  samples.map(({ label, turns }) => [label?.kind, turns.at(-1)?.content]),
  [
    ['safe', 'The answer: 391'],
    ['unsafe', 'The answer: 544'],
  ],
);
assert.equal(new Set(samples.map(({ split }) => split)).size, 1, 'a run and its variant stay on one side');
assert.ok(readdirSync(path.join(corpus, 'export')).includes('aftraj_unsafe.parquet'));
rmSync(folder, { recursive: true });
