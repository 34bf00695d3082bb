// A made-up framework: a chorus performs its parts one after another, and ears hear every line that is sung.

/** A line, or a call of a tool, or a tool's answer. */
export interface Line {
  readonly by: string;
  readonly text: string;
  readonly call?: { readonly tool: string; readonly args: unknown };
  readonly answerOf?: string;
  readonly failed?: boolean;
}

export interface Stage {
  readonly song: string;
  sing(line: Line): Promise<void>;
  /** Performs another chorus as a part of this performance. */
  perform(chorus: Chorus): Promise<void>;
}

export type Part = (stage: Stage) => Promise<void>;

/** Hears one performance. What it throws stops the chorus. */
export interface Hearing {
  sung(line: Line): Promise<void>;
  ended(error?: unknown): Promise<void>;
}

/** An error that no part is asked to repeat itself after. */
export interface Final {
  readonly final: true;
}

export class Chorus {
  readonly #parts: readonly Part[];
  readonly #ears: readonly ((song: string) => Hearing)[];

  constructor(parts: readonly Part[], ears: readonly ((song: string) => Hearing)[] = []) {
    this.#parts = parts;
    this.#ears = ears;
  }

  heardBy(ear: (song: string) => Hearing): Chorus {
    return new Chorus(this.#parts, [...this.#ears, ear]);
  }

  async perform(song: string): Promise<readonly Line[]> {
    const hearings = this.#ears.map((ear) => ear(song));
    const lines: Line[] = [];
    const stage: Stage = {
      song,
      async sing(line) {
        lines.push(line);
        for (const hearing of hearings) await hearing.sung(line);
      },
      async perform(chorus) {
        for (const part of chorus.#parts) await part(stage);
      },
    };
    try {
      await stage.perform(this);
    } catch (error) {
      for (const hearing of hearings) await hearing.ended(error);
      throw error;
    }
    for (const hearing of hearings) await hearing.ended();
    return lines;
  }
}

/** A part that repeats itself when it fails. */
export function repeating(part: Part, times: number): Part {
  return async (stage) => {
    for (let time = 1; ; time++) {
      try {
        return await part(stage);
      } catch (error) {
        if (time >= times || (error as Partial<Final>).final) throw error;
      }
    }
  };
}
