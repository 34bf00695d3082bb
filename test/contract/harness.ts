import type { JsonValue, Plugin } from '../../core/index.js';

/** What a host does, in the words of no framework. Agent names are unique within a scenario. */
export interface Scenario {
  readonly steps: readonly Step[];
  /**
   * What agents are told and nobody says. A harness puts it wherever its framework keeps such things (system prompts,
   * config, metadata) and hands it back to {@link Watch.ran} from there.
   */
  readonly unsaid?: string;
}

export type Step = AgentStep | LanesStep;

/** One agent at work. What it has of these happens in the order in which they stand here. */
export interface AgentStep {
  readonly agent: string;
  /** How long it thinks, in milliseconds. */
  readonly takesMs?: number;
  /** Its code throws this very error the first so many times, before anything that follows. */
  readonly throws?: { readonly error: Error; readonly times: number };
  /** How often the host tries it before it gives up. Default 1. */
  readonly attempts?: number;
  /** It stops the run and asks a human. */
  readonly asks?: string;
  /** Its own code runs a whole team, and goes on when the team is done. */
  readonly leads?: readonly Step[];
  /** That code catches whatever the team throws, and goes on all the same. */
  readonly swallows?: boolean;
  /** It says nothing yet but calls a tool, and is asked again when the tool has answered. */
  readonly calls?: ToolUse;
  /** `{task}` stands for the run's task, `{answer}` for the human's; see {@link spoken}. */
  readonly says: string;
}

export interface ToolUse {
  readonly tool: string;
  readonly args: { readonly [name: string]: JsonValue };
  /** What the tool returns; if it `fails`, the message of the error that it throws. */
  readonly answers: string;
  readonly fails?: boolean;
}

/** Teams at work side by side. The next step begins when all are done. */
export interface LanesStep {
  readonly lanes: readonly (readonly AgentStep[])[];
}

/** The suite's eye on the host. */
export interface Watch {
  /**
   * Call it whenever code of an agent or a tool runs: as an agent throws, as it is about to say its line or to call its
   * tool, as a tool starts.
   * @param unsaid the scenario's `unsaid`, as the framework handed it to that code
   */
  ran(name: string, unsaid?: string): void;
}

/** One run of a host. */
export interface Run {
  readonly task: string;
  /** Under which the host saves the run, where it saves anything. Runs of one host differ in it. */
  readonly thread: string;
}

/** What the author of a plugin implements: how the plugin's framework plays a scenario. */
export interface Harness<Host, Hooked = Host> {
  readonly plugin: Plugin<Host, Hooked>;
  /**
   * A real host of the framework that plays the scenario. It may be run many times, also at once. Throw for a scenario
   * that the framework has no way to play, and skip the check with that as the reason.
   * @param saved an earlier host of this scenario, over whose saved state this one is built: what a new process finds
   */
  build(scenario: Scenario, watch: Watch, saved?: Host): Host;
  /** Runs to the end. @returns whatever shows the outcome to the host's caller; compared as JSON */
  run(host: Host | Hooked, run: Run): Promise<unknown>;
  /** The same, yielding what the host's caller is shown on the way. Absent where the framework has no streams. */
  stream?(host: Host | Hooked, run: Run): AsyncIterable<unknown>;
  /** Takes up a run that was halted or asks a human. Absent where the framework saves nothing. */
  resume?(host: Host | Hooked, run: Run, answer?: string): Promise<unknown>;
}

/** What an agent says, word by word. */
export function spoken({ says }: AgentStep, task: string, answer = ''): string {
  return says.replaceAll('{task}', () => task).replaceAll('{answer}', () => answer);
}
