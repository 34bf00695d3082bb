import { styleText } from 'node:util';
import {
  AuditHalt,
  type AuditRecord,
  createRuntime,
  memoryRecorder,
  SetupError,
  type Turn,
} from '../core/index.js';
import { type AuditedRun, auditedRun } from './audited-run.js';
import type { Deeds } from './demo/team.js';
import { ExitCode } from './exit-code.js';
import { timeline } from './timeline.js';

interface DemoRun {
  readonly audited: AuditedRun;
  readonly halt: AuditHalt | undefined;
  readonly deeds: Deeds;
  /** The last message of the hooked graph, and of the bare one. */
  readonly answer: string | undefined;
  readonly bareAnswer: string;
}

/** `agentforesight demo`: one team, once with a wrong step and once without. */
export async function demo({ json }: { readonly json?: boolean }): Promise<number> {
  const langgraph = await loadLangGraph();
  const faulty = await run(langgraph, true);
  const healthy = await run(langgraph, false);
  console.log(
    json ? JSON.stringify({ faulty: asJson(faulty), healthy: asJson(healthy) }) : story(faulty, healthy),
  );
  return ExitCode.ok;
}

type LangGraphParts = Awaited<ReturnType<typeof loadLangGraph>>;

/** LangGraph is an optional peer: whoever audits another framework need not have it. */
async function loadLangGraph() {
  try {
    const [{ cupTeam, TASK }, { withAuditor }] = await Promise.all([
      import('./demo/team.js'),
      import('../plugins/langgraph/index.js'),
    ]);
    return { cupTeam, TASK, withAuditor };
  } catch (cause) {
    throw new SetupError(
      'demo',
      'LangGraph.js is not installed',
      'Run npm install @langchain/langgraph @langchain/core',
      {
        cause,
      },
    );
  }
}

async function run({ cupTeam, TASK, withAuditor }: LangGraphParts, misreads: boolean): Promise<DemoRun> {
  const deeds: Deeds = { calculations: 0, verified: false };
  const recorder = memoryRecorder();
  const input = { messages: [{ role: 'user', content: TASK }] };
  const bare = await cupTeam(misreads, { calculations: 0, verified: false }).invoke(input);

  const team = withAuditor(cupTeam(misreads, deeds), createRuntime({ recorder }));
  const result = await quietly(() => team.invoke(input)).catch((error: unknown) => {
    if (error instanceof AuditHalt) return error;
    throw error;
  });
  const halt = result instanceof AuditHalt ? result : undefined;
  return {
    audited: auditedRun(recorder.records, turnsOf(recorder.records)),
    halt,
    deeds,
    answer: result instanceof AuditHalt ? undefined : result.messages.at(-2)?.text,
    bareAnswer: bare.messages.at(-2)?.text ?? '',
  };
}

/** LangChain prints the throw of any callback handler, here the halt itself, which the story tells better. */
async function quietly<Result>(work: () => Promise<Result>): Promise<Result> {
  const { error } = console;
  console.error = (...words: unknown[]) => {
    if (!String(words[0]).startsWith('Error in handler AuditHook')) error(...words);
  };
  try {
    return await work();
  } finally {
    console.error = error;
  }
}

function turnsOf(records: readonly AuditRecord[]): Turn[] {
  return records.flatMap((record) => (record.type === 'turn' ? [record.turn] : []));
}

function story(faulty: DemoRun, healthy: DemoRun): string {
  const width = process.stdout.columns ?? 110;
  return [
    styleText('bold', '1. A team of planner, solver and verifier; the solver misreads its calculator.'),
    timeline(faulty.audited, width),
    '',
    styleText('red', `   ${faulty.halt?.message ?? 'not halted'}`),
    `   Nothing of any later step ran: the verifier ${faulty.deeds.verified ? 'spoke all the same' : 'never spoke'}.`,
    `   Without the auditor the run ends with: ${styleText('italic', faulty.bareAnswer)}`,
    '',
    styleText('bold', '2. The same team on a healthy run.'),
    timeline(healthy.audited, width),
    '',
    styleText('green', `   Untouched: ${healthy.answer}`),
    `   Without the auditor it says the same: ${styleText('italic', healthy.bareAnswer)}`,
    '',
    styleText(
      'dim',
      'The models are scripted; graph, calculator, auditor and halt are real. The auditor is signalsAuditor(): it flags',
    ),
    styleText('dim', 'visible symptoms in process and does not judge correctness.'),
  ].join('\n');
}

function asJson({ audited, halt, deeds, answer, bareAnswer }: DemoRun) {
  const steps = audited.steps.map(({ turn, verdict }) => ({
    step: turn.index,
    agent: turn.agent,
    kind: turn.kind,
    content: turn.content,
    verdict: verdict?.kind ?? null,
  }));
  return {
    halted: halt !== undefined,
    alarm: halt?.alarm ?? null,
    steps,
    deeds,
    answer: answer ?? null,
    bareAnswer,
  };
}
