import { describe, expect, it } from 'vitest';
import { toJsonValue } from '../../core/json.js';

describe('what JSON has no word for becomes a word', () => {
  const circular: Record<string, unknown> = { a: 1 };
  circular['self'] = circular;
  const trap = Object.defineProperty({}, 'x', {
    enumerable: true,
    get: () => {
      throw new Error('trap');
    },
  });
  it.each([
    ['a big integer', 12n, '12n'],
    ['a function', () => 1, '[function]'],
    ['a symbol', Symbol('x'), '[symbol]'],
    ['nothing', undefined, null],
    ['NaN', Number.NaN, 'NaN'],
    ['infinity', -Infinity, '-Infinity'],
    ['a circle', circular, { a: 1, self: '[circular]' }],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['an error', new TypeError('no'), { name: 'TypeError', message: 'no' }],
    [
      'a map',
      new Map<unknown, unknown>([
        ['a', 1n],
        [2, 'b'],
      ]),
      { a: '1n', 2: 'b' },
    ],
    ['a buffer', Buffer.from('abc'), '[3 bytes]'],
    ['a typed array', new Float64Array(2), '[16 bytes]'],
    ['a trap', trap, '[unreadable: trap]'],
    ['an unset field', { a: undefined, b: 1 }, { b: 1 }],
    ['an object of its own', { toJSON: () => ({ b: 2n }) }, { b: '2n' }],
  ])('%s', (_, value, copy) => {
    expect(toJsonValue(value)).toEqual(copy);
  });

  it('a hostile key stays data', () => {
    const copy = toJsonValue(JSON.parse('{"__proto__": {"admin": true}}'));
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"admin":true}}');
  });

  it('what stands twice is no circle', () => {
    const shared = { a: 1 };
    expect(toJsonValue([shared, shared])).toEqual([{ a: 1 }, { a: 1 }]);
  });
});

describe('a host object graph is cut', () => {
  it('where it is too deep', () => {
    let deep: unknown = 'bottom';
    for (let level = 0; level < 100; level++) deep = { deep };
    expect(JSON.stringify(toJsonValue(deep))).toContain('[nested too deep]');
  });

  it('where its shared parts would unfold without end', () => {
    let unfolding: unknown = 'leaf';
    for (let level = 0; level < 30; level++) unfolding = [unfolding, unfolding];
    const started = performance.now();
    toJsonValue(unfolding);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

it('is detached from the host', () => {
  const host = { list: [{ a: 1 }] };
  const copy = toJsonValue(host);
  host.list[0] = { a: 2 };
  expect(copy).toEqual({ list: [{ a: 1 }] });
});
