import type { TurnInput } from './turn.js';

/** A recorded run, and another turn in the place of one of its own. */
export interface ReplayRequest {
  readonly runId: string;
  /** The host's own id of the conversation, by which its saved state is found. */
  readonly thread?: string | undefined;
  readonly task: string;
  readonly turns: readonly TurnInput[];
  /** 0-based place of the turn that is replaced. */
  readonly step: number;
  /** Of the same kind, agent and tool call ids as the one it replaces. */
  readonly turn: TurnInput;
}

export type Replay =
  /** The run as it went this time: the turns before `step`, the given one, and what followed. `error` is the host's. */
  | {
      readonly turns: readonly TurnInput[];
      readonly error?: string | undefined;
      readonly refused?: undefined;
    }
  /** Why this run cannot be replayed from there. */
  | { readonly refused: string };

/** Runs a recorded run again from one of its turns on, in the framework that it ran in, with its real tools. */
export interface Replayer {
  /** @throws the signal's reason */
  replay(request: ReplayRequest, signal: AbortSignal): Promise<Replay>;
}
