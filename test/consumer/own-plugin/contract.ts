// The contract, run on an outsider's plugin with Node's own runner: `node --test`.

import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type AgentStep,
  type Harness,
  type Step,
  spoken,
  testPlugin,
  type Watch,
} from 'agentforesight/testing';
import { Chorus, type Part, repeating } from './chorus.js';
import { chorusPlugin } from './plugin.js';

const harness: Harness<Chorus> = {
  plugin: chorusPlugin,
  build: ({ steps, unsaid }, watch) => chorusOf(steps, watch, unsaid),
  run: (chorus, { task }) => chorus.perform(task),
};

function chorusOf(steps: readonly Step[], watch: Watch, unsaid?: string): Chorus {
  return new Chorus(
    steps.map((step) => {
      if ('lanes' in step) throw new Error('a chorus performs its parts one after another');
      return repeating(partOf(step, watch, unsaid), step.attempts ?? 1);
    }),
  );
}

function partOf(step: AgentStep, watch: Watch, unsaid?: string): Part {
  const { agent, takesMs = 0, throws, asks, leads, swallows, calls } = step;
  const team = leads && chorusOf(leads, watch, unsaid);
  let thrown = 0;
  return async (stage) => {
    await pause(takesMs);
    if (throws && thrown++ < throws.times) {
      watch.ran(agent);
      throw throws.error;
    }
    if (asks !== undefined) throw new Error('a chorus cannot stop and go on');
    if (team) {
      const performed = stage.perform(team);
      await (swallows ? performed.catch(() => {}) : performed);
    }
    if (calls) {
      const { tool, args, answers, fails } = calls;
      watch.ran(agent, unsaid);
      await stage.sing({ by: agent, text: '', call: { tool, args } });
      watch.ran(tool);
      await stage.sing({ by: agent, text: answers, answerOf: tool, ...(fails ? { failed: true } : {}) });
    }
    watch.ran(agent, unsaid);
    await stage.sing({ by: agent, text: spoken(step, stage.song) });
  };
}

const skipped = (reason: string, clause: string, ...checks: readonly string[]) =>
  checks.map((check) => ({ clause, check, reason }));

const oneByOne = 'a chorus performs its parts one after another';
const noStreams = 'a chorus is heard when it has finished';

testPlugin({
  harness,
  test,
  skip: [
    ...skipped(
      oneByOne,
      'ordering',
      'which lane was quicker changes neither the order of the turns nor what the auditor sees',
      'a lane does not see its siblings',
    ),
    ...skipped(oneByOne, 'blocking', 'lanes wait each for their own verdicts, and what follows them for all'),
    ...skipped(
      oneByOne,
      'halting',
      'an alarm in one lane stops the others where they stand, and what follows them',
      'an alarm in a lane inside a team stops the lane, the team, the code that leads it, and all that follows',
    ),
    ...skipped(oneByOne, 'transparency', 'the result of lanes is the bare host’s'),
    ...skipped(oneByOne, 'isolation', 'many runs of lanes at once are told each with its own turns'),
    ...skipped(noStreams, 'ordering', 'a streamed run tells what any other run tells'),
    ...skipped(noStreams, 'halting', 'a streamed run is halted as any other'),
    ...skipped(
      noStreams,
      'transparency',
      'the chunks of a stream are the bare host’s',
      'the chunks of a stream of lanes are the bare host’s',
    ),
    { clause: 'resuming', reason: 'a chorus that has stopped begins anew' },
  ],
});
