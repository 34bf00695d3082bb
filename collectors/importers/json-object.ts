/** A JSON object, its fields still unknown. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What stands at a path of own fields. Nothing is taken from prototypes: `constructor` may be a hostile file's key. */
export function fieldOf(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, name) => (isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined),
    value,
  );
}

/** The field's text, if it is one and holds more than space. */
export function textOf(value: unknown, ...path: readonly string[]): string | undefined {
  const found = fieldOf(value, ...path);
  return typeof found === 'string' && found.trim() !== '' ? found : undefined;
}

export function listOf(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = fieldOf(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** Text as it is, anything else as JSON text: what a reader is shown of a value of unknown shape. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  try {
    return JSON.stringify(value);
  } catch {
    return '[nested too deep]';
  }
}
