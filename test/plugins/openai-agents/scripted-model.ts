import type { ModelRequest } from '@openai/agents';
import { calls, type Output, ReplyingModel, says } from './replying-model.js';

/** One answer of a model, or the error it fails with. */
export type ScriptedModelInput = Output | { readonly fails: Error };

/** What newer versions of the SDK have for tests, for all that are supported: says its lines in order. */
export class ScriptedModel extends ReplyingModel {
  readonly calls: { readonly request: ModelRequest }[] = [];

  constructor(steps: readonly ScriptedModelInput[]) {
    super((request, asked) => {
      this.calls.push({ request });
      const step = steps[asked];
      if (!step) throw new Error(`the script has no line ${asked}`);
      if ('fails' in step) throw step.fails;
      return step;
    });
  }
}

export const assistantMessage = (text: string) => only(says(text));

export const functionCall = (name: string, args: object, { callId }: { readonly callId: string }) =>
  only(calls(name, args, callId));

export const modelError = (fails: Error): ScriptedModelInput => ({ fails });

function only(output: Output): Output[number] {
  const [item] = output;
  if (!item) throw new Error('nothing was said');
  return item;
}
