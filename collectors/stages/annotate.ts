import { z } from 'zod';
import { type JsonValue, readOptions, toJsonValue } from '../../core/index.js';
import type { Judge, JudgeReply } from '../judge/judge.js';
import { judgeSchema } from '../judge/judge-schema.js';
import { quotedRun } from '../judge/quoted-run.js';
import type { Sample } from '../sample.js';
import type { Stage, StageDecision, StageResult } from '../stage.js';
import { type Proposal, proposalQuestion } from './annotate/propose.js';
import { supporters, tally, type VerifiedCandidate, type Vote } from './annotate/tally.js';
import { verificationQuestion } from './annotate/verify.js';

const optionsSchema = z.strictObject({
  judge: judgeSchema,
  proposers: z.int().min(1).max(100).default(5),
  verifiers: z.int().min(1).max(100).default(3),
  temperature: z.number().min(0).max(2).default(0.7),
  concurrency: z.int().min(1).default(4),
});

export interface AnnotateOptions {
  readonly judge: Judge;
  /** P: how often the run is read for its decisive error. Default 5. */
  readonly proposers?: number | undefined;
  /** V: how many examine each step that was named. Default 3. */
  readonly verifiers?: number | undefined;
  /** Of both, since votes that are all alike are one. Default 0.7. */
  readonly temperature?: number | undefined;
  /** Runs at once; how many questions, says the judge. Default 4. */
  readonly concurrency?: number | undefined;
}

interface Candidate extends VerifiedCandidate {
  readonly reason: string;
  readonly proposers: readonly number[];
  readonly replies: readonly JudgeReply<Vote>[];
}

/**
 * Finds the decisive error of runs that failed by themselves: proposers name steps, verifiers examine each of them, and one
 * is admitted by strict majority. Runs that have a label, or have not failed, pass as they are.
 * @throws SetupError on an unknown or malformed option
 */
export function annotateStage(options: AnnotateOptions): Stage {
  const parts = readOptions('annotate', optionsSchema, options);
  const { judge, proposers, verifiers, temperature, concurrency } = parts;

  async function verified(run: string, { proposal, named }: Named, signal: AbortSignal): Promise<Candidate> {
    const replies = await times(verifiers, (verifier) =>
      judge.ask(verificationQuestion(run, proposal, verifier, temperature), signal),
    );
    const votes = replies.flatMap(({ answer }) => (answer ? [answer] : []));
    return { ...proposal, proposers: named, votes, failed: verifiers - votes.length, replies };
  }

  async function annotated(sample: Sample, signal: AbortSignal): Promise<StageResult> {
    const run = quotedRun(sample);
    const proposals = await times(proposers, (proposer) =>
      judge.ask(proposalQuestion(run, sample.turns, proposer, temperature), signal),
    );
    const given = proposals.filter(({ failure }) => !failure).length;
    if (given <= proposers / 2) {
      const reason = `${given} of ${proposers} proposers gave a step; more than half must`;
      return waiting(sample, reason, evidence(proposals, []));
    }
    const candidates = await Promise.all(
      distinct(proposals, sample).map((named) => verified(run, named, signal)),
    );
    return concluded(sample, candidates, evidence(proposals, candidates));
  }

  function concluded(sample: Sample, candidates: readonly Candidate[], votes: JsonValue): StageResult {
    const result = tally(candidates, verifiers);
    if (result.kind === 'open') return waiting(sample, 'missing votes of verifiers could change it', votes);
    if (result.kind === 'refused') {
      const reason = `none of ${candidates.length} candidates has more than half of ${verifiers} verifiers`;
      return { samples: [], decisions: [decision(sample, 'drop', reason, votes)] };
    }
    const { step, agent, reason } = result.candidate;
    const support = supporters(result.candidate).length;
    return {
      samples: [{ ...sample, label: { kind: 'unsafe', step, agent, reason, source: 'natural' } }],
      decisions: [
        decision(sample, 'keep', `step ${step} (${agent}) has ${support} of ${verifiers} verifiers`, votes),
      ],
    };
  }

  return {
    name: 'annotate',
    options: { judge: judge.name, proposers, verifiers, temperature },
    concurrency,
    async process(sample, signal) {
      if (sample.label) return passed(sample, 'it has a label already');
      if (sample.outcome?.value !== 0) return passed(sample, 'it has not failed');
      return annotated(sample, signal);
    },
  };
}

function times<Result>(count: number, work: (index: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index)));
}

/** A step that was named, under its speaker's own name and with the first proposer's reason, and all who named it. */
interface Named {
  readonly proposal: Proposal;
  readonly named: readonly number[];
}

/** A step has one speaker, and a proposal with another is none: candidates differ in their steps. */
function distinct(proposals: readonly JudgeReply<Proposal>[], { turns }: Sample): readonly Named[] {
  const given = proposals.flatMap(({ answer }, proposer) => (answer ? [{ answer, proposer }] : []));
  return Array.from(
    Map.groupBy(given, ({ answer }) => answer.step),
    ([step, [first, ...others]]) => {
      const { answer, proposer } = first as (typeof given)[number];
      const proposal = { ...answer, agent: turns[step]?.agent ?? answer.agent };
      return { proposal, named: [proposer, ...others.map((other) => other.proposer)] };
    },
  );
}

function evidence(proposals: readonly JudgeReply<Proposal>[], candidates: readonly Candidate[]): JsonValue {
  return toJsonValue({
    proposals: proposals.map(said),
    candidates: candidates.map(({ step, agent, proposers, votes, replies }) => ({
      step,
      agent,
      proposers,
      support: supporters({ votes }).length,
      votes: replies.map(said),
    })),
  });
}

function said<Answer>({ answer, failure }: JudgeReply<Answer>): unknown {
  return failure ? { failure } : answer;
}

function passed(sample: Sample, reason: string): StageResult {
  return { samples: [sample], decisions: [decision(sample, 'keep', reason)] };
}

function waiting(sample: Sample, reason: string, votes: JsonValue): StageResult {
  return { samples: [], decisions: [decision(sample, 'undecided', reason, votes)] };
}

function decision(
  { id }: Sample,
  verdict: StageDecision['verdict'],
  reason: string,
  votes?: JsonValue,
): StageDecision {
  return { id, rule: 'annotate', verdict, reason, ...(votes !== undefined && { evidence: votes }) };
}
