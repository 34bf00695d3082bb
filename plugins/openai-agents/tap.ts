/** A method's stand-in. It gets the method's own `this`, and what it stood in for. */
export type Tap = (original: Method, self: object, args: readonly unknown[]) => unknown;
export type Method = (...args: readonly unknown[]) => unknown;

const taps = new WeakSet<Method>();

/**
 * Puts a tap on a method where it is defined: on the class, so that no object of the user's is touched, or on the object
 * itself if the method is its own. Once, however often it is asked to.
 * @param define puts the tap on `object`'s class even if that has no such method, or inherits it
 * @returns false where it cannot be put on: the object is frozen
 */
export function tapMethod(object: object, name: string, tap: Tap, define = false): boolean {
  const found = Reflect.get(object, name);
  if (taps.has(found)) return true;
  if (typeof found !== 'function' && !define) return true;
  const original: Method = typeof found === 'function' ? found : () => undefined;
  const owner = define ? object : ownerOf(object, name);
  function tapped(this: object, ...args: readonly unknown[]): unknown {
    return tap((...given) => original.apply(this, [...given]), this, args);
  }
  taps.add(tapped);
  const { enumerable = false } = Object.getOwnPropertyDescriptor(owner, name) ?? {};
  return Reflect.defineProperty(owner, name, {
    value: tapped,
    enumerable,
    writable: true,
    configurable: true,
  });
}

/** The object or class on which the method is defined. */
export function ownerOf(object: object, name: string): object {
  for (let owner: object | null = object; owner; owner = Object.getPrototypeOf(owner)) {
    if (Object.hasOwn(owner, name)) return owner;
  }
  return object;
}
