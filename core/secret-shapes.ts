/** A field whose folded name ends with one of these holds a secret: `OPENAI_API_KEY`, `x-auth-token`. */
export const SECRET_KEYS: readonly string[] = [
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

export interface SecretPattern {
  readonly name: string;
  /** Source of a short expression that every match contains, in any case. */
  readonly sign: string;
  readonly pattern: RegExp;
  /** What of the match stays: `$1` where the pattern captures the words that announce the secret. */
  readonly keep: '' | '$1';
}

/** Words that, with a `:` or `=` behind them, announce a secret in any text. */
const ANNOUNCED =
  '(?:password|passwd|passphrase|api[_-]?key|access[_-]?key|secret[_-]?key|private[_-]?key|client[_-]?secret|(?:access|refresh|auth)[_-]?token|authorization)';

/**
 * Known shapes of secrets in running text. Each starts at a fixed word or at the edge of a token and has bounded or
 * non-overlapping repeats, so that a hostile turn of many megabytes still takes linear time.
 */
export const SECRET_PATTERNS: readonly SecretPattern[] = [
  {
    name: 'private-key',
    sign: 'PRIVATE KEY',
    pattern:
      /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:[^-]|-(?!----)){0,20000}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
    keep: '',
  },
  { name: 'jwt', sign: 'eyJ', pattern: /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, keep: '' },
  {
    // A digit or a capital tells a key from words in a row, such as the column `pk_user_account_identifier`.
    name: 'api-key',
    sign: '[srp]k[-_]',
    pattern: /(?<![\w-])(?:sk|rk|pk)[-_](?=[a-z_-]*[A-Z0-9])[\w-]{16,}/g,
    keep: '',
  },
  {
    name: 'api-key',
    sign: 'gh[opsur]_|github_pat_|glpat-|hf_|npm_|xox[abeprs]-',
    pattern:
      /(?<!\w)(?:gh[opsur]_\w{30,}|github_pat_\w{30,}|glpat-[\w-]{20,}|hf_\w{30,}|npm_\w{30,}|xox[abeprs]-[\w-]{10,})/g,
    keep: '',
  },
  {
    name: 'api-key',
    sign: 'AKIA|ASIA|AIza',
    pattern: /(?<!\w)(?:(?:AKIA|ASIA)[0-9A-Z]{16}|AIza[\w-]{35})(?!\w)/g,
    keep: '',
  },
  {
    // The same as for keys: "bearer authentication" is prose.
    name: 'bearer',
    sign: 'bearer',
    pattern: /(\bBearer\s{1,4})(?=[a-z_.~+/=-]*\d|[\w.~+/=-]{20})[\w.~+/=-]{8,}/gi,
    keep: '$1',
  },
  {
    // Only what can stand in an address's authority: JSON-LD has `"@vocab":"http://schema.org","value":1,"@type"`.
    name: 'url-password',
    sign: '://',
    pattern: /(:\/\/[^\s"'`,{}<>\\/?#:@]{0,64}:)[^\s"'`,{}<>\\/?#@]{1,256}(?=@)/g,
    keep: '$1',
  },
  {
    name: 'cookie',
    sign: 'cookie:',
    pattern: /(\b(?:set-)?cookie:\s{0,3}[\w.-]{1,64}=)(?!\[redacted)[^\r\n"']{4,4096}/gi,
    keep: '$1',
  },
  {
    name: 'assigned-secret',
    sign: ANNOUNCED,
    pattern: new RegExp(
      String.raw`(${ANNOUNCED}\\{0,3}["']?\s{0,3}[:=]\s{0,3}\\{0,3}(["']))(?!\[redacted)(?:(?!\2)[^\\\r\n])+`,
      'gi',
    ),
    keep: '$1',
  },
  {
    name: 'assigned-secret',
    sign: ANNOUNCED,
    pattern: new RegExp(
      String.raw`(${ANNOUNCED}\\{0,3}["']?\s{0,3}[:=]\s{0,3}(?:Basic\s)?)(?!\[redacted)[^\s"'\\,;&}\])]{3,}`,
      'gi',
    ),
    keep: '$1',
  },
  {
    // Field names that are common words too: a quoted value behind a quoted name leaves no doubt.
    name: 'assigned-secret',
    sign: 'token|secret|cookie|credential|connection_?string',
    pattern:
      /(["'][\w-]{0,64}(?:token|secret|cookie|credentials?|connection_?string)\\{0,3}["']\s{0,3}:\s{0,3}\\{0,3}(["']))(?!\[redacted)(?:(?!\2)[^\\\r\n]){8,}/gi,
    keep: '$1',
  },
  {
    // And so does the form of an environment variable.
    name: 'assigned-secret',
    sign: '_TOKEN=|_SECRET=',
    pattern: /(\b[A-Z][A-Z0-9_]{0,64}_(?:TOKEN|SECRET)=["']?)(?!\[redacted)[^\s"']{6,}/g,
    keep: '$1',
  },
];

/** One quick look at a text: most hold no sign of a secret, and then no pattern need be tried. */
export const SECRET_SIGNS = new RegExp([...new Set(SECRET_PATTERNS.map(({ sign }) => sign))].join('|'), 'i');
