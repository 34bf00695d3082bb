import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { budgeted } from '../../../../collectors/judge/budgeted.js';
import { cached } from '../../../../collectors/judge/cached.js';
import { chatJudge } from '../../../../collectors/judge/chat-judge.js';
import { limited } from '../../../../collectors/judge/limited.js';
import { annotateStage } from '../../../../collectors/stages/annotate.js';
import {
  type Behaviour,
  breaksOff,
  fails,
  hangs,
  replies,
} from '../../../support/model-server/behaviours.js';
import { modelServer, type SeenChat } from '../../../support/model-server.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { processed, sampleOf, scored } from '../samples.js';

const write = temporaryFolder();

const isProposal = ({ body }: SeenChat) => body.messages[1]?.content.endsWith('decisive error?') === true;
const proposal = replies({ text: 'Hm. {"step": 3, "agent": "Verifier", "reason": "wrong"}' });
const vote = replies({
  text: '```json\n{"exists": true, "substantive": true, "decisive": true, "earliest": true, "confidence": 70}\n```',
});
const nonsense = replies({ text: 'Step 3, I would say.' });

/** A judge as a pipeline puts it together, on a server that answers by the seed of the request: the proposer or verifier. */
async function pipelineJudge(
  file: string,
  behave: (isProposal: boolean, seed: number) => Behaviour,
  calls = 100,
) {
  const server = await modelServer((seen) => behave(isProposal(seen), Number(seen.body['seed'])));
  const chat = chatJudge({ baseURL: server.baseURL, model: 'tiny', seed: 0, retries: 0, deadlineMs: 400 });
  return { server, judge: cached(budgeted(limited(chat, 2), { calls }), file) };
}

const failed = sampleOf({ outcome: scored(0) });

test('what failed is asked again, and nothing else, by whoever takes the sample up', async () => {
  const file = await write('judge.jsonl', '');
  const proposals = [proposal, fails(429), proposal, nonsense, proposal];
  const votes = [vote, hangs, breaksOff];
  const first = await pipelineJudge(file, (proposes, seed) => (proposes ? proposals : votes)[seed] ?? hangs);
  const { samples, decisions } = await processed(annotateStage({ judge: first.judge }), failed);
  expect(samples).toEqual([]);
  expect(decisions[0]).toMatchObject({
    verdict: 'undecided',
    evidence: {
      proposals: [
        { step: 3 },
        { failure: { kind: 'error' } },
        { step: 3 },
        { failure: { kind: 'nonsense' } },
        { step: 3 },
      ],
      candidates: [
        {
          support: 1,
          votes: [{ exists: true }, { failure: { kind: 'timeout' } }, { failure: { kind: 'error' } }],
        },
      ],
    },
  });
  expect((await readFile(file, 'utf8')).trim().split('\n')).toHaveLength(4);

  const second = await pipelineJudge(file, (proposes) => (proposes ? proposal : vote));
  const again = await processed(annotateStage({ judge: second.judge }), failed);
  expect(again.samples[0]?.label).toMatchObject({ kind: 'unsafe', step: 3, source: 'natural' });
  expect(second.server.requests.map(({ body }) => body['seed'])).toEqual([1, 3, 1, 2]);
});

test('when the budget is spent the sample waits, and goes on where it stopped', async () => {
  const file = await write('spent.jsonl', '');
  const good = (proposes: boolean) => (proposes ? proposal : vote);
  const poor = await pipelineJudge(file, good, 6);
  const { decisions } = await processed(annotateStage({ judge: poor.judge }), failed);
  expect(decisions[0]?.verdict).toBe('undecided');
  expect(JSON.stringify(decisions[0]?.evidence).split('"budget"')).toHaveLength(3);
  expect(poor.server.requests).toHaveLength(6);

  const rich = await pipelineJudge(file, good);
  const { samples } = await processed(annotateStage({ judge: rich.judge }), failed);
  expect(samples).toHaveLength(1);
  expect(rich.server.requests).toHaveLength(2);
});
