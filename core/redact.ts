import { SetupError } from './errors.js';
import type { JsonValue } from './json.js';

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

/** A field whose folded name ends with one of these holds a secret: `OPENAI_API_KEY`, `x-auth-token`. */
const SECRET_KEYS = [
  'password',
  'passwd',
  'passphrase',
  'secret',
  'apikey',
  'accesskey',
  'secretkey',
  'privatekey',
  'token',
  'authorization',
  'cookie',
  'credential',
  'credentials',
  'connectionstring',
];

interface SecretPattern {
  readonly name: string;
  readonly pattern: RegExp;
  /** What of the match stays: `$1` where the pattern captures the words that announce the secret. */
  readonly keep: '' | '$1';
}

/**
 * Known shapes of secrets in running text. Each starts at a fixed word or at the edge of a token and has bounded or
 * non-overlapping repeats, so that a hostile turn of many megabytes still takes linear time.
 */
const SECRET_PATTERNS: readonly SecretPattern[] = [
  {
    name: 'private-key',
    pattern:
      /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:[^-]|-(?!----)){0,20000}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
    keep: '',
  },
  { name: 'jwt', pattern: /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, keep: '' },
  { name: 'api-key', pattern: /(?<![\w-])(?:sk|rk|pk)[-_][\w-]{16,}/g, keep: '' },
  {
    name: 'api-key',
    pattern:
      /(?<!\w)(?:gh[opsur]_\w{30,}|github_pat_\w{30,}|glpat-[\w-]{20,}|hf_\w{30,}|npm_\w{30,}|xox[abeprs]-[\w-]{10,})/g,
    keep: '',
  },
  { name: 'api-key', pattern: /(?<!\w)(?:(?:AKIA|ASIA)[0-9A-Z]{16}|AIza[\w-]{35})(?!\w)/g, keep: '' },
  { name: 'bearer', pattern: /(\bBearer\s{1,4})[\w.~+/=-]{8,}/gi, keep: '$1' },
  { name: 'url-password', pattern: /(:\/\/[^\s:@/]{1,64}:)[^\s@/]{1,256}(?=@)/g, keep: '$1' },
  {
    name: 'assigned-secret',
    pattern:
      /((?:password|passwd|passphrase|api[_-]?key|secret[_-]?key|client[_-]?secret|private[_-]?key|(?:access|refresh|auth)[_-]?token|authorization)\\{0,3}["']?\s{0,3}[:=]\s{0,3}\\{0,3}["']?(?:Basic\s)?)(?!\[redacted)[^\s"'\\,;&}\])]{3,512}/gi,
    keep: '$1',
  },
];

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
  const keys = [...SECRET_KEYS, ...(options.keys ?? []).map(foldKey)];
  const own = (options.patterns ?? []).map((pattern) => ({ name: 'pattern', pattern, keep: '' as const }));
  const patterns: readonly SecretPattern[] = [...SECRET_PATTERNS, ...own];
  const isSecretKey = (key: string) => {
    const folded = foldKey(key);
    return keys.some((secret) => folded.endsWith(secret));
  };
  const redactText = (text: string) =>
    patterns.reduce(
      (kept, { name, pattern, keep }) => kept.replace(pattern, `${keep}[redacted:${name}]`),
      text,
    );
  const redact = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return redactText(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(redact);
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        hidesSecret(item) && isSecretKey(key) ? `[redacted:${key}]` : redact(item),
      ]),
    );
  };
  return { redact };
}

/** `null`, a flag and an empty text tell nothing; keeping them shows that a field was left unset. */
function hidesSecret(value: JsonValue): boolean {
  return value !== null && typeof value !== 'boolean' && value !== '';
}

function foldKey(key: string): string {
  return key.toLowerCase().replace(/[^a-z0-9]/g, '');
}
