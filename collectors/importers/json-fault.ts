const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

type Expected = 'value' | 'value-or-close' | 'key' | 'key-or-close' | 'separator';

/**
 * Offset of the first character at which `text` stops being JSON; `text.length` when it only ends too early, undefined
 * when it is JSON. `JSON.parse` gives no position for some faults (an unexpected token), hence this scan. It keeps its
 * own stack, so that deep nesting does not overflow the call stack.
 */
export function locateJsonFault(text: string): number | undefined {
  const open: string[] = [];
  let expected: Expected = 'value';
  let at = skipSpace(text, 0);
  for (;;) {
    const char = text[at];
    const innermost = open.at(-1);
    if (expected === 'separator') {
      if (innermost === undefined) return at === text.length ? undefined : at;
      if (char === closing(innermost)) open.pop();
      else if (char === ',') expected = innermost === '{' ? 'key' : 'value';
      else return at;
      at++;
    } else if (char !== undefined && expected.endsWith('-or-close') && char === closing(innermost)) {
      open.pop();
      expected = 'separator';
      at++;
    } else if (expected === 'key' || expected === 'key-or-close') {
      const key = scanString(text, at);
      if (!key.whole) return key.at;
      at = skipSpace(text, key.at);
      if (text[at] !== ':') return at;
      expected = 'value';
      at++;
    } else if (char === '{' || char === '[') {
      open.push(char);
      expected = char === '{' ? 'key-or-close' : 'value-or-close';
      at++;
    } else {
      const value = char === '"' ? scanString(text, at) : scanScalar(text, at);
      if (!value.whole) return value.at;
      at = value.at;
      expected = 'separator';
    }
    at = skipSpace(text, at);
  }
}

/** Where a token ends, or, when it is not whole, where its fault is. */
interface Scanned {
  readonly whole: boolean;
  readonly at: number;
}

function scanString(text: string, start: number): Scanned {
  if (text[start] !== '"') return { whole: false, at: start };
  let at = start + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return { whole: true, at: at + 1 };
    if (code < 0x20) return { whole: false, at };
    if (code === 0x5c) {
      ESCAPE.lastIndex = at;
      if (!ESCAPE.test(text)) return { whole: false, at };
      at = ESCAPE.lastIndex;
    } else at++;
  }
  return { whole: false, at };
}

function scanScalar(text: string, start: number): Scanned {
  SCALAR.lastIndex = start;
  return SCALAR.test(text) ? { whole: true, at: SCALAR.lastIndex } : { whole: false, at: start };
}

function closing(bracket: string | undefined): string {
  return bracket === '{' ? '}' : ']';
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && ' \t\n\r'.includes(text.charAt(at))) at++;
  return at;
}
