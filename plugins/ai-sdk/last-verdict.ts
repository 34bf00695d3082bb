import type { Transformer } from 'node:stream/web';
import type { TextStreamPart, ToolSet } from 'ai';
import { outcomeAfter, type Stop } from '../../core/index.js';
import { AuditHaltError } from './halt.js';
import type { HostRun } from './host-run.js';
import type { Part } from './messages.js';
import type { Scope } from './scope.js';

type StreamPart = TextStreamPart<ToolSet>;

/**
 * A transform of a whole stream, for a run that is one stream: its end waits for the verdicts on what no model call
 * followed, such as the answers of the tools of a last step.
 */
export function lastVerdict(scope: Scope): () => TransformStream<StreamPart, StreamPart> {
  return () => {
    let step: Part[] = [];
    let isTold = false;
    const transformer: Transformer<StreamPart, StreamPart> = {
      async transform(part, controller) {
        if (part.type === 'start-step') step = [];
        else step.push(part);
        if (part.type === 'error' && AuditHaltError.isInstance(part.error)) {
          isTold = true;
          await scope.host.end(outcomeAfter(part.error));
        }
        const stop = part.type === 'finish' ? await ended(scope, step) : undefined;
        if (stop && !isTold) controller.enqueue({ type: 'error', error: new AuditHaltError(stop.halt) });
        controller.enqueue(part);
      },
    };
    return new TransformStream(transformer);
  };
}

function ended({ host, own }: { host: HostRun } & Scope, step: readonly Part[]): Promise<Stop | undefined> {
  own?.finish(step);
  own?.call.leave();
  return host.end({ status: 'completed' });
}
