import { Ajv, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type JsonValue, messageOf, type ToolSpec } from '../../../core/index.js';

/** Tools' schemas come from elsewhere: what is odd in one is no reason to say so on the console. */
const OPTIONS: Options = { strict: false, validateFormats: false, logger: false, addUsedSchema: false };

/** Schemas kept compiled. A team has tens of tools; a corpus with more schemas than this compiles some of them again. */
const MOST_KEPT = 1_000;

export interface ArgumentCheck {
  /** What the schema minds in the arguments. */
  readonly fault?: string | undefined;
  /** Why the schema could not be asked. */
  readonly unreadable?: string | undefined;
}

/** Checks calls' arguments against their tools' JSON Schemas: draft 7 where `$schema` says so, else 2020-12. */
export class ArgumentSchemas {
  readonly #compiled = new Map<string, ValidateFunction | string>();

  check({ parameters }: ToolSpec, args: JsonValue): ArgumentCheck {
    if (parameters === undefined) return {};
    const validate = this.#validator(parameters);
    if (typeof validate === 'string') return { unreadable: validate };
    if (validate(args)) return {};
    const [error] = validate.errors ?? [];
    return { fault: `${error?.instancePath || 'the arguments'} ${error?.message}` };
  }

  /** @returns why there is none, as a text */
  #validator(parameters: NonNullable<ToolSpec['parameters']>): ValidateFunction | string {
    const key = JSON.stringify(parameters);
    const known = this.#compiled.get(key);
    if (known !== undefined) return known;
    if (this.#compiled.size >= MOST_KEPT) this.#compiled.clear();
    const compiled = compile(parameters);
    this.#compiled.set(key, compiled);
    return compiled;
  }
}

/** With an Ajv of its own, which forgets the schema along with it, and in which no two schemas' ids meet. */
function compile(parameters: NonNullable<ToolSpec['parameters']>): ValidateFunction | string {
  const isDraft7 = /draft-0[67]/.test(String(parameters['$schema']));
  try {
    return (isDraft7 ? new Ajv(OPTIONS) : new Ajv2020(OPTIONS)).compile(parameters);
  } catch (cause) {
    return messageOf(cause);
  }
}
