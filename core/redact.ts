import { SetupError } from './errors.js';
import type { JsonValue } from './json.js';
import { SECRET_KEYS, SECRET_PATTERNS, SECRET_SIGNS } from './secret-shapes.js';

/**
 * Takes out what must not leave the process. It sees every captured field as one JSON value, before the auditor, the
 * recorder or a halt's error do, and returns a value of the same shape. If it throws, the content is dropped.
 */
export interface Redactor {
  redact(value: JsonValue): JsonValue;
}

/** What the default redactor removes besides its own list. */
export interface SecretRedactorOptions {
  /** Field names whose values go, whatever they hold. Case and separators do not matter: `apiKey` covers `API_KEY`. */
  readonly keys?: readonly string[];
  /** Matches go, wherever they stand. Need the `g` flag. */
  readonly patterns?: readonly RegExp[];
}

type JsonFields = Readonly<Record<string, JsonValue>>;

interface Field {
  readonly name: string;
  readonly isSecret: boolean;
}

/** Field names that are remembered, and their length: hostile arguments may have any number of any length. */
const MOST_KNOWN = 1_000;
const LONGEST_KNOWN = 100;

/** The default: removes values by field name and by the shapes of well-known credentials. Personal data is yours to add. */
export function secretRedactor(options: SecretRedactorOptions = {}): Redactor {
  for (const pattern of options.patterns ?? []) {
    if (!pattern.global) {
      throw new SetupError(
        'redact',
        `the pattern ${pattern} has no g flag`,
        'Add it, or only the first match of a text would go',
      );
    }
  }
  for (const key of options.keys ?? []) {
    if (foldKey(key) === '') {
      throw new SetupError(
        'redact',
        `the key ${JSON.stringify(key)} has no letter or digit`,
        'Give a field name',
      );
    }
  }
  const keys = [...SECRET_KEYS, ...(options.keys ?? []).map(foldKey)];
  const own = options.patterns ?? [];
  const isSecretKey = (key: string) => {
    const folded = foldKey(key);
    return keys.some((secret) => folded.endsWith(secret));
  };
  const redactText = (text: string) =>
    own.reduce((kept, pattern) => kept.replace(pattern, '[redacted:pattern]'), redactKnownSecrets(text));
  // The fields of a turn have the same names every time, and so have most arguments.
  const known = new Map<string, Field>();
  const fieldNamed = (key: string): Field => {
    const field = known.get(key) ?? { name: redactText(key), isSecret: isSecretKey(key) };
    if (key.length <= LONGEST_KNOWN && known.size < MOST_KNOWN) known.set(key, field);
    return field;
  };
  /** What it is given itself if nothing in it is to go, as is usual: a copy costs more than the look. */
  const redact = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return redactText(value);
    if (typeof value !== 'object' || value === null) return value;
    return Array.isArray(value) ? redactItems(value) : redactFields(value as JsonFields);
  };
  const redactItems = (items: readonly JsonValue[]): JsonValue => {
    const kept = items.map(redact);
    return kept.every((item, at) => item === items[at]) ? items : kept;
  };
  const redactFields = (fields: JsonFields): JsonValue => {
    const keys = Object.keys(fields);
    let changed: [string, JsonValue][] | undefined;
    for (let at = 0; at < keys.length; at++) {
      const key = keys[at] as string;
      const item = fields[key] as JsonValue;
      const { name, isSecret } = fieldNamed(key);
      const kept = isSecret && hidesSecret(item) ? `[redacted:${name}]` : redact(item);
      if (name !== key || kept !== item)
        changed ??= keys.slice(0, at).map((k) => [k, fields[k] as JsonValue]);
      changed?.push([name, kept]);
    }
    return changed ? Object.fromEntries(changed) : fields;
  };
  return { redact };
}

function redactKnownSecrets(text: string): string {
  if (!SECRET_SIGNS.test(text)) return text;
  return SECRET_PATTERNS.reduce(
    (kept, { name, pattern, keep }) => kept.replace(pattern, `${keep}[redacted:${name}]`),
    text,
  );
}

/** `null`, a flag and an empty text tell nothing; keeping them shows that a field was left unset. */
function hidesSecret(value: JsonValue): boolean {
  return value !== null && typeof value !== 'boolean' && value !== '';
}

function foldKey(key: string): string {
  return key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
