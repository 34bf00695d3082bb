import { appendOnlyLayout, type Prefix, type PromptLayout, SetupError } from '../../core/index.js';
import type { JudgeFailure } from '../judge/judge.js';
import type { BoundaryPair } from '../pairs/boundary-pair.js';
import type { PolicySampler } from '../pairs/policy-sampler.js';
import { sortReplies } from '../pairs/sort-replies.js';
import { auditPrompt } from '../prefixes/audit-prompt.js';
import { layoutDigest } from '../prefixes/layout-digest.js';
import { expectedVerdict } from '../prefixes/prefix-records.js';
import { runPrefixes } from '../prefixes/run-prefixes.js';
import type { RunLabel } from '../recorded-run.js';
import type { Sample } from '../sample.js';
import type { Stage, StageDecision } from '../stage.js';

export interface PairsOptions {
  /** The policy that training begins with. */
  readonly sampler: PolicySampler;
  /** Replies drawn for each prompt. Default: 8. */
  readonly replies?: number | undefined;
  /** Default: the append-only layout. */
  readonly layout?: PromptLayout | undefined;
  /** Replies from which no verdict can be read: rejected like wrong ones (default), or left out. */
  readonly invalid?: 'reject' | 'ignore' | undefined;
  /** Runs under way at once. Default: 8. */
  readonly concurrency?: number | undefined;
}

type Unsafe = Extract<RunLabel, { kind: 'unsafe' }>;

/**
 * Boundary pairs of unsafe training runs. For the prefix that ends before the decisive error, and for the one that ends
 * with it, replies are drawn and sorted by their verdict; the nth right one and the nth other one make a pair. Prompts whose
 * replies are all right or all wrong give none. A run of which a reply could not be drawn waits.
 * @throws SetupError when `replies` is below 2
 */
export function pairsStage(options: PairsOptions): Stage {
  const { sampler, replies = 8, layout = appendOnlyLayout(), invalid = 'reject', concurrency = 8 } = options;
  if (!(Number.isSafeInteger(replies) && replies >= 2))
    throw new SetupError('pairs', `replies is ${replies}`, 'Give a whole number from 2 on');
  const { name: model, parameters } = sampler;

  async function pairsAt(question: Question, signal: AbortSignal): Promise<PromptResult> {
    const { sample, label, kind, prefix } = question;
    const step = prefix.length - 1;
    const prompt = auditPrompt(sample, prefix, layout);
    const drawn = await Promise.all(
      Array.from({ length: replies }, (_, number) => sampler.sample(prompt, number, signal)),
    );
    const failures = drawn.flatMap(({ failure }) => failure ?? []);
    if (failures.length > 0) return { pairs: [], decision: undecided(question, failures) };
    const texts = drawn.flatMap(({ reply }) => reply ?? []);
    const sorted = sortReplies(texts, prefix, expectedVerdict(label, step));
    const { right } = sorted;
    // An empty text cannot be learnt from. In the order drawn, wrong and invalid ones mixed.
    const rejectable = new Set([...sorted.wrong, ...(invalid === 'reject' ? sorted.invalid : [])]);
    const other = texts.filter((text) => rejectable.has(text) && text !== '');
    const pairs = Array.from({ length: Math.min(right.length, other.length) }, (_, at) => ({
      kind,
      step,
      prompt,
      chosen: right[at] as string,
      rejected: other[at] as string,
    }));
    const counts = { right: right.length, wrong: sorted.wrong.length, invalid: sorted.invalid.length };
    const evidence = { step, replies, ...counts, pairs: pairs.length };
    const why = pairs.length > 0 ? 'right and other replies' : right.length > 0 ? 'all right' : 'all wrong';
    const verdict = pairs.length > 0 ? 'keep' : 'drop';
    return { pairs, decision: { id: sample.id, rule: ruleOf(kind), verdict, reason: why, evidence } };
  }

  return {
    name: 'pairs',
    options: { model, parameters, replies, invalid, layout: [layout.name, layoutDigest(layout)] },
    concurrency,
    async process(sample, signal) {
      const { id, label, split } = sample;
      const passed = (reason: string) => ({
        samples: [sample],
        decisions: [{ id, rule: 'pairs', verdict: 'keep' as const, reason }],
      });
      if (label?.kind !== 'unsafe') return passed('no decisive error, so no boundary');
      if (split === 'test') return passed('held out');
      const results = await Promise.all(
        questionsOf(sample, label).map((question) => pairsAt(question, signal)),
      );
      const decisions = [
        ...(label.step === 0 ? [nothingBefore(id)] : []),
        ...results.map(({ decision }) => decision),
      ];
      if (decisions.some(({ verdict }) => verdict === 'undecided')) return { samples: [], decisions };
      return { samples: [{ ...sample, pairs: results.flatMap(({ pairs }) => pairs) }], decisions };
    },
  };
}

interface Question {
  readonly sample: Sample;
  readonly label: Unsafe;
  readonly kind: BoundaryPair['kind'];
  readonly prefix: Prefix;
}

interface PromptResult {
  readonly pairs: readonly BoundaryPair[];
  readonly decision: StageDecision;
}

function questionsOf(sample: Sample, label: Unsafe): readonly Question[] {
  const questions: Question[] = [];
  for (const prefix of runPrefixes(sample)) {
    const step = prefix.length - 1;
    if (step === label.step - 1) questions.push({ sample, label, kind: 'before', prefix });
    if (step === label.step) return [...questions, { sample, label, kind: 'at', prefix }];
  }
  return questions;
}

function nothingBefore(id: string): StageDecision {
  return { id, rule: ruleOf('before'), verdict: 'drop', reason: 'the first step has no prefix before it' };
}

function undecided({ sample, kind }: Question, failures: readonly JudgeFailure[]): StageDecision {
  const [first] = failures;
  return {
    id: sample.id,
    rule: ruleOf(kind),
    verdict: 'undecided',
    reason: 'a request failed',
    evidence: { failed: failures.length, kind: first?.kind ?? null, message: first?.message ?? null },
  };
}

function ruleOf(kind: BoundaryPair['kind']): string {
  return `pairs-${kind}`;
}
