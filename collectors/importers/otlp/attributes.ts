import { fieldOf, isObject, listOf } from '../json-object.js';

export type Attributes = ReadonlyMap<string, unknown>;

/** OTLP's attributes, their values out of their typed wrapping. */
export function attributesOf(of: unknown): Attributes {
  return new Map(
    listOf(of, 'attributes').flatMap((attribute) => {
      const key = fieldOf(attribute, 'key');
      return typeof key === 'string' ? [[key, plain(fieldOf(attribute, 'value'))] as const] : [];
    }),
  );
}

/** `{stringValue: "a"}` is `"a"`; 64-bit integers are text in OTLP's JSON. */
function plain(value: unknown, depth = 0): unknown {
  if (!isObject(value) || depth > 64) return value;
  const int = fieldOf(value, 'intValue');
  if (int !== undefined) return Number(int);
  const items = fieldOf(value, 'arrayValue');
  if (items !== undefined) return listOf(items, 'values').map((item) => plain(item, depth + 1));
  const fields = fieldOf(value, 'kvlistValue');
  if (fields !== undefined) {
    const entries = listOf(fields, 'values').map((one) => [
      String(fieldOf(one, 'key')),
      plain(fieldOf(one, 'value'), depth + 1),
    ]);
    return Object.fromEntries(entries);
  }
  return fieldOf(value, 'stringValue') ?? fieldOf(value, 'boolValue') ?? fieldOf(value, 'doubleValue');
}

interface Branch {
  readonly children: Map<string, Branch>;
  value?: unknown;
}

/**
 * The nested value that flat keys spell: `llm.input_messages.0.message.role` under the prefix `llm.input_messages` is
 * `[{message: {role}}]`. Keys come from the file, so the branches are maps; `__proto__` becomes a mere field.
 */
export function nested(attributes: Attributes, prefix: string): unknown {
  const root: Branch = { children: new Map() };
  for (const [key, value] of attributes) {
    if (!key.startsWith(`${prefix}.`)) continue;
    let at = root;
    for (const part of key
      .slice(prefix.length + 1)
      .split('.')
      .slice(0, 32)) {
      const next = at.children.get(part) ?? { children: new Map() };
      at.children.set(part, next);
      at = next;
    }
    at.value = value;
  }
  return root.children.size > 0 ? toValue(root) : undefined;
}

function toValue({ children, value }: Branch): unknown {
  if (children.size === 0) return value;
  const entries = [...children].map(([key, child]) => [key, toValue(child)] as const);
  const isList = entries.every(([key]) => /^\d+$/.test(key));
  if (!isList) return Object.fromEntries(entries);
  return entries.toSorted(([one], [other]) => Number(one) - Number(other)).map(([, item]) => item);
}
