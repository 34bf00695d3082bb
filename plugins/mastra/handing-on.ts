/**
 * A twin that hands each call on to the host itself, whose fields are private.
 * @param hand makes the call @param returned what the twin returns for what the host did
 */
export function handingOn<Host extends object>(
  host: Host,
  hand: (call: () => unknown) => unknown,
  returned: (name: PropertyKey, result: unknown) => unknown,
): Host {
  const methods = new Map<unknown, unknown>();
  return new Proxy(host, {
    get(target, name, twin) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function' || name === 'constructor') return value;
      const known = methods.get(value);
      if (known) return known;
      const method = (...args: unknown[]): unknown => {
        const result = hand(() => Reflect.apply(value, target, args));
        return result === target ? twin : returned(name, result);
      };
      methods.set(value, method);
      return method;
    },
  });
}
