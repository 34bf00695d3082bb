import type { StreamedRunResult } from '@openai/agents';
import { messageOf } from '../../core/index.js';
import type { AgentLoop } from './agent-loop.js';
import type { RootRun } from './root-run.js';

/** How the SDK ends a stream. It calls these on the result itself, so that a result of its own can be made to wait. */
interface Ending {
  _done(): void;
  _raiseError(error: unknown, options?: unknown): void;
  _revealFinalOutput?(): void;
}

/**
 * Keeps the end of a stream, and its final output, back until the last verdict: `completed` and the iteration settle then.
 * @param ended is told before they do
 */
export function holdStream(
  stream: StreamedRunResult<never, never>,
  root: RootRun,
  loop: AgentLoop,
  ended: () => void,
): void {
  root.streamBegins();
  const own = stream as unknown as Ending;
  const done = own._done.bind(stream);
  const raise = own._raiseError.bind(stream);
  const reveal = own._revealFinalOutput?.bind(stream);
  let isRevealed = false;
  own._revealFinalOutput = () => {
    isRevealed = true;
  };
  const fail = async (error: unknown, options?: unknown) => {
    loop.leave();
    ended();
    raise(await root.streamFails(error), options);
  };
  own._raiseError = (error, options) => void fail(error, options);
  const end = async () => {
    if (!stream.cancelled) await loop.ends(stream.newItems);
    loop.leave();
    ended();
  };
  own._done = () =>
    void end()
      .then(
        async () => {
          const halt = await root.streamEnds(stream as never);
          if (halt) return raise(halt);
          if (isRevealed) reveal?.();
          done();
        },
        (error: unknown) => fail(error),
      )
      .catch((cause: unknown) => {
        root.runtime.diagnostics.report({ code: 'hook-failed', message: messageOf(cause), cause });
        done();
      });
}
