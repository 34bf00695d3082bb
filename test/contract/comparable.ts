const RANDOM_ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{32}\b/g;
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** What a host's caller is shown, fit to be compared with another run: JSON, random ids by order of appearance, no times. */
export function comparable(value: unknown): unknown {
  const names = new Map<string, string>();
  const text = JSON.stringify(value) ?? 'null';
  return JSON.parse(
    text.replace(TIME, 'TIME').replace(RANDOM_ID, (id) => {
      const name = names.get(id) ?? `id-${names.size}`;
      names.set(id, name);
      return name;
    }),
  );
}
