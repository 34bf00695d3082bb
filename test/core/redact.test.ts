import { describe, expect, it } from 'vitest';
import { SetupError } from '../../core/errors.js';
import type { JsonValue } from '../../core/json.js';
import { secretRedactor } from '../../core/redact.js';

const redact = (value: JsonValue) => secretRedactor().redact(value);

// Assembled, so that no scanner takes this file for a leak.
const openAi = `sk-proj-${'a1B2c3D4'.repeat(4)}`;
const gitHub = `ghp_${'a1B2c3D4e5'.repeat(4)}`;
const aws = `AKIA${'ABCD1234EFGH5678'}`;
const jwt = `eyJ${'hbGciOiJI'}.eyJ${'zdWIiOiIx'}.c2lnbmF0dXJl`;
const pem = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEow+/'.repeat(40)}\n-----END RSA PRIVATE KEY-----`;

describe('a field goes by its name', () => {
  it.each([
    'OPENAI_API_KEY',
    'apiKey',
    'x-auth-token',
    'Authorization',
    'Set-Cookie',
    'db.password',
    'client_secret',
    'aws_secret_access_key',
    'privateKey',
    'connectionString',
  ])('%s, however deep', (key) => {
    expect(redact({ call: [{ headers: { [key]: 'hunter2', keep: 'me' } }] })).toEqual({
      call: [{ headers: { [key]: `[redacted:${key}]`, keep: 'me' } }],
    });
  });

  it('whatever it holds, unless that tells nothing', () => {
    expect(redact({ password: 1234, token: { a: 1 }, cookie: ['x'] })).toEqual({
      password: '[redacted:password]',
      token: '[redacted:token]',
      cookie: '[redacted:cookie]',
    });
    const unset = { password: null, token: '', secret: false };
    expect(redact(unset)).toEqual(unset);
  });

  it('or by a name of your own, in any script', () => {
    const { redact } = secretRedactor({ keys: ['iban', 'пароль'] });
    expect(redact({ customerIBAN: 'DE89', Пароль: 'x', note: 'y' })).toEqual({
      customerIBAN: '[redacted:customerIBAN]',
      Пароль: '[redacted:Пароль]',
      note: 'y',
    });
  });

  it('and a name that is itself a secret goes too', () => {
    expect(redact({ [openAi]: 'alice' })).toEqual({ '[redacted:api-key]': 'alice' });
  });
});

describe('a value of which', () => {
  it('a part holds a secret keeps the rest, in order, and stays as it was itself', () => {
    const calls = [{ name: 'a', args: [1, 'x'] }, { name: 'b', args: [openAi, 'y'] }, 'z'];
    const value = Object.freeze({ first: 1, calls: Object.freeze(calls), token: 't', last: null });
    const kept = redact(value);
    expect(kept).toStrictEqual({
      first: 1,
      calls: [{ name: 'a', args: [1, 'x'] }, { name: 'b', args: ['[redacted:api-key]', 'y'] }, 'z'],
      token: '[redacted:token]',
      last: null,
    });
    expect(Object.keys(kept as object)).toEqual(['first', 'calls', 'token', 'last']);
    expect(calls[1]).toEqual({ name: 'b', args: [openAi, 'y'] });
  });

  it('nothing is secret is not copied', () => {
    const value = { calls: [{ name: 'a', args: [1, 'x'] }] };
    expect(redact(value)).toBe(value);
  });
});

describe('a text loses', () => {
  it.each([
    ['an OpenAI key', `use ${openAi}, please`, 'use [redacted:api-key], please'],
    ['a Stripe key', `sk_live_${'x9Y8z7'.repeat(4)}`, '[redacted:api-key]'],
    ['a GitHub token', `(${gitHub})`, '([redacted:api-key])'],
    ['an AWS key id', `id ${aws}.`, 'id [redacted:api-key].'],
    ['a JWT', `token ${jwt} end`, 'token [redacted:jwt] end'],
    ['a private key', `before\n${pem}\nafter`, 'before\n[redacted:private-key]\nafter'],
    ['a bearer token', 'Bearer abcdef123456', 'Bearer [redacted:bearer]'],
    ['a password in a URL', 'postgres://me:hunter2@db/x', 'postgres://me:[redacted:url-password]@db/x'],
    ['a password in a URL without a user', 'redis://:hunter2@db', 'redis://:[redacted:url-password]@db'],
    [
      'a password in a URL in JSON',
      '{"dsn":"postgres://me:h_u%40n!t$e*r;2@db/x"}',
      '{"dsn":"postgres://me:[redacted:url-password]@db/x"}',
    ],
    ['an assignment', 'password=hunter2 next', 'password=[redacted:assigned-secret] next'],
    [
      'a quoted one, to its end',
      'password: "it\'s a secret" ok',
      'password: "[redacted:assigned-secret]" ok',
    ],
    ['an environment variable', 'HF_TOKEN=abcdef', 'HF_TOKEN=[redacted:assigned-secret]'],
    ['an AWS secret', 'AWS_SECRET_ACCESS_KEY=abc/def', 'AWS_SECRET_ACCESS_KEY=[redacted:assigned-secret]'],
    ['a cookie header', 'Cookie: sid=abcdef; a=b\nHost: x', 'Cookie: sid=[redacted:cookie]\nHost: x'],
  ])('%s', (_, text, kept) => {
    expect(redact(text)).toBe(kept);
    expect(redact(kept)).toBe(kept);
  });

  it.each(['token', 'x-auth-token', 'cookie', 'password', 'clientSecret', 'OPENAI_API_KEY', 'credentials'])(
    'the %s of JSON within it, and of JSON within that',
    (key) => {
      const inner = JSON.stringify({ [key]: 'hunter2hunter2', page: 3 });
      for (const text of [inner, JSON.stringify({ body: inner }), JSON.stringify([inner], null, 2)]) {
        const kept = redact(`The reply was ${text}`);
        expect(kept).not.toContain('hunter2');
        expect(kept).toContain('page');
      }
    },
  );

  it('what a pattern of your own matches, every time', () => {
    const { redact } = secretRedactor({ patterns: [/\b\d{3}-\d{4}\b/g] });
    expect(redact({ note: 'call 555-1234 or 555-9876' })).toEqual({
      note: 'call [redacted:pattern] or [redacted:pattern]',
    });
  });
});

describe('a near miss stays', () => {
  it.each([
    'max_tokens: 100',
    '{"max_tokens": 4096, "total_tokens": 1234567890}',
    'The model used 1,200 tokens: 900 in, 300 out.',
    'the secret of success is patience',
    'A secret: never give up on a long proof.',
    'risk-adjusted-portfolio-analysis',
    'task-oriented-dialogue-systems-2024',
    'the column pk_user_account_identifier',
    'sk-learn-compatible-estimators',
    'Bearer authentication is required here',
    'the author of the passage: Keats',
    'commit 9fceb02d0ae598e95dc970b74767f19372d61af8',
    'https://example.org:8080/a/b?c=d',
    '{"@vocab":"http://schema.org","value":1,"@type":"Thing"}',
    String.raw`{\"@vocab\":\"http://schema.org\",\"value\":1,\"@type\":\"Thing\"}`,
    'http://localhost:8080,mail:me@example.org',
    'http://localhost:8080?mail=me@example.org',
    '<a href=http://localhost:8080>me@example.org</a>',
    "{url: 'http://localhost:8080', by: '@me'}",
    'mail me at someone@example.org',
    'He baked a cookie: it was good.',
    'password reset was requested',
  ])('%s', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('as a field', () => {
    const fields = {
      max_tokens: 100,
      usage: { tokens: 12 },
      tokenizer: 'bpe',
      keyboard: 'qwerty',
      passage: 'x',
    };
    expect(redact(fields)).toEqual(fields);
  });
});

it('stays linear in what a hostile turn repeats by the megabyte', () => {
  const bait = [
    'a',
    '"',
    '-',
    'eyJ',
    'sk-',
    '://a:',
    'password',
    'password="',
    'Bearer ',
    '"token":"',
    "'token'",
    'A_',
    '-----BEGIN PRIVATE KEY-----',
    'cookie:a=',
    'AKIA',
    `eyJ${'a'.repeat(9)}.`,
    'api_key\\\\\\',
    'sk-a',
  ];
  for (const piece of bait) {
    const text = piece.repeat(Math.ceil(5_000_000 / piece.length));
    const started = performance.now();
    redact({ content: `sk- ${text}` });
    expect(performance.now() - started, `5 MB of ${piece}`).toBeLessThan(4_000);
  }
});

describe('set-up faults are thrown at once', () => {
  it('a pattern without the g flag', () => {
    expect(() => secretRedactor({ patterns: [/x/] })).toThrow(SetupError);
    expect(() => secretRedactor({ patterns: [/x/] })).toThrow(
      '[agentforesight] [redact] the pattern /x/ has no g flag',
    );
  });

  it('a key that would match every field', () => {
    expect(() => secretRedactor({ keys: ['--'] })).toThrow('the key "--" has no letter or digit');
  });
});
