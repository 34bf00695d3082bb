/**
 * The chat auditor against a real model server: recorded runs walked through a real session, what each call to the model
 * took, what became of its replies, and how much of the prompts the server had in its cache under each layout.
 *
 * It shows that the parts work together. What the verdicts are worth depends on the model, and a small one's are worth nothing.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { appendOnlyLayout, chatAuditor, type PromptLayout, publishedLayout } from '../../core/index.js';
import { printReplies, printSteps, printTotals } from './model-server/print.js';
import { ReplyTap } from './model-server/reply-tap.js';
import { missingDataset, shortRuns } from './model-server/short-runs.js';
import { tally } from './model-server/tally.js';
import { VERDICT_GRAMMAR } from './model-server/verdict-grammar.js';
import { type AuditedStep, walk } from './model-server/walk.js';

const USAGE = `Usage: npm run proof:model-server -- [--base-url URL] [options]

Audits short recorded runs with a model on an OpenAI-compatible server, each turn that is due, until the first alarm or
the run's end. Prints each call, totals per layout, and as the last line one JSON object; progress goes to stderr.
Ctrl-C ends it early, with what is there. Exits with 2 when the server does not answer or a dataset is absent.

  --base-url URL     default http://127.0.0.1:8089/v1, where bench/measured/model-server/serve.sh serves
  --model NAME       default: the first that the server names
  --runs N           default 3: one safe and one unsafe run of AFTraj-2K, one of Who&When
  --layout NAME      append-only or published; default both, in turn on each run
  --probe P          ask for one token first, which settles where SAFE has probability P or more; default 0.9
  --no-probe         do not
  --grammar          hold replies to the form of a verdict, as llama.cpp can
  --json             print the JSON object only

The datasets are looked for in ../shared/data, or in the folder that AGENTFORESIGHT_DATA names.
`;

const MAX_REPLY_TOKENS = 200;
const LAYOUTS = ['append-only', 'published'] as const;
const root = path.resolve(import.meta.dirname, '../..');

class Unusable extends Error {}

interface Options {
  readonly baseURL: string;
  readonly model: string | undefined;
  readonly runs: number;
  readonly layouts: readonly (typeof LAYOUTS)[number][];
  readonly probe: { readonly threshold: number } | undefined;
  readonly isHeld: boolean;
  readonly json: boolean;
}

async function main(options: Options): Promise<void> {
  const { baseURL, layouts, probe } = options;
  const data = path.resolve(root, process.env['AGENTFORESIGHT_DATA'] ?? '../shared/data');
  const missing = missingDataset(data);
  if (missing) throw new Unusable(`no ${missing}; AGENTFORESIGHT_DATA may name the folder of the datasets`);
  const server = await modelAt(baseURL);
  const model = options.model ?? server.model;
  const runs = await shortRuns(data, options.runs);

  const stop = new AbortController();
  // A second Ctrl-C ends the process as usual.
  process.once('SIGINT', () => stop.abort());
  const tap = await ReplyTap.before(baseURL);
  const series = Date.now().toString(36);
  const extraBody = options.isHeld ? { grammar: VERDICT_GRAMMAR } : {};
  const auditors = layouts.map((name) => {
    const layout = unseenBefore(layoutOf(name, server.contextTokens), `${series} ${name}. `);
    const shared = { baseURL: tap.baseURL, model, extraBody, maxReplyTokens: MAX_REPLY_TOKENS };
    return { layout: name, auditor: chatAuditor({ ...shared, layout, probe }) };
  });
  const audits: AuditedStep[] = [];
  const onAudit = (audit: AuditedStep) => {
    audits.push(audit);
    process.stderr.write(`${audit.layout} ${audit.runId} step ${audit.step}\n`);
  };
  try {
    for (const [index, run] of runs.entries()) {
      // Forwards and backwards in turn, so that neither layout is always the first to show a run's text.
      for (const { layout, auditor } of index % 2 === 0 ? auditors : auditors.toReversed()) {
        if (!stop.signal.aborted) await walk(run, { auditor, layout, tap, stop: stop.signal, onAudit });
      }
    }
  } finally {
    tap.close();
  }

  const totals = new Map(
    layouts.map((name) => [name, tally(audits.filter(({ layout }) => layout === name))]),
  );
  if (!options.json) {
    printSteps(audits);
    printTotals(totals);
    printReplies(audits);
  }
  const { contextTokens } = server;
  const setting = { model, contextTokens, maxReplyTokens: MAX_REPLY_TOKENS, probe, grammar: options.isHeld };
  const stopped = stop.signal.aborted;
  console.log(
    JSON.stringify({ ...setting, runs: runs.length, stopped, layouts: Object.fromEntries(totals) }),
  );
  if (stopped) process.exitCode = 130;
}

/** @throws Unusable where nobody answers */
async function modelAt(baseURL: string): Promise<{ model: string; contextTokens: number }> {
  try {
    const response = await fetch(`${baseURL}/models`, { signal: AbortSignal.timeout(10_000) });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    const { data } = (await response.json()) as { data: readonly ServedModel[] };
    const [served] = data;
    if (!served) throw new Error('it serves no model');
    // As llama.cpp and vLLM name it.
    return { model: served.id, contextTokens: served.meta?.n_ctx ?? served.max_model_len ?? 8_192 };
  } catch (cause) {
    throw new Unusable(`no model server answers at ${baseURL}: ${reasonOf(cause)}`);
  }
}

/** What `fetch` says of a failed connection stands in the error's cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

interface ServedModel {
  readonly id: string;
  readonly meta?: { readonly n_ctx?: number };
  readonly max_model_len?: number;
}

function layoutOf(name: (typeof LAYOUTS)[number], contextTokens: number): PromptLayout {
  if (name === 'published') return publishedLayout();
  // Tokens are counted as another model would, and the second try repeats the first reply: a quarter of slack.
  return appendOnlyLayout({
    contextTokens: Math.floor(contextTokens * 0.75),
    replyTokens: MAX_REPLY_TOKENS,
  });
}

/** So that nothing of an earlier invocation or of the other layout, which the server may have in its cache, counts as cached. */
function unseenBefore(layout: PromptLayout, words: string): PromptLayout {
  return {
    ...layout,
    prompt(request) {
      const { system, ...prompt } = layout.prompt(request);
      return { ...prompt, system: words + system };
    },
  };
}

function readOptions(): Options | 'help' {
  const { values } = parseArgs({
    options: {
      'base-url': { type: 'string', default: 'http://127.0.0.1:8089/v1' },
      model: { type: 'string' },
      runs: { type: 'string', default: '3' },
      layout: { type: 'string' },
      probe: { type: 'string', default: '0.9' },
      'no-probe': { type: 'boolean', default: false },
      grammar: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return 'help';
  const runs = Number(values.runs);
  if (!Number.isInteger(runs) || runs < 1) throw new Unusable(`--runs: not a number of runs: ${values.runs}`);
  const threshold = Number(values.probe);
  if (!(threshold >= 0 && threshold <= 1)) throw new Unusable(`--probe: not from 0 to 1: ${values.probe}`);
  const layouts = LAYOUTS.filter((name) => values.layout === undefined || name === values.layout);
  if (layouts.length === 0)
    throw new Unusable(`--layout: neither append-only nor published: ${values.layout}`);
  return {
    baseURL: values['base-url'].replace(/\/$/, ''),
    model: values.model,
    runs,
    layouts,
    probe: values['no-probe'] ? undefined : { threshold },
    isHeld: values.grammar,
    json: values.json,
  };
}

try {
  const options = readOptions();
  if (options === 'help') process.stdout.write(USAGE);
  else await main(options);
} catch (error) {
  const isBadOption =
    error instanceof TypeError && 'code' in error && `${error.code}`.startsWith('ERR_PARSE_ARGS');
  if (!(error instanceof Unusable) && !isBadOption) throw error;
  process.stderr.write(`proof:model-server: ${error.message}\n`);
  process.exitCode = 2;
}
