import type { RunCheck } from './check.js';

/** `call_verify_slip`, where AFTraj's hosts count (`call_0003`): an id that says what was injected. */
const WORDED = /^call_[a-z]+(?:_[a-z]+)+$/;

export const wordedCallId: RunCheck = {
  code: 'worded-call-id',
  *find({ turns }) {
    for (const [step, { toolCalls = [] }] of turns.entries()) {
      const worded = toolCalls.find(({ id }) => WORDED.test(id));
      if (worded) yield { step, detail: `the call's id is "${worded.id}"` };
    }
  },
};
