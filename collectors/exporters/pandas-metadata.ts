import type { Column } from './parquet-table.js';

/**
 * What pandas leaves in a file to find its own types again: without it, another version may make other ones of the columns.
 * @see https://pandas.pydata.org/docs/development/developer.html
 */
export function pandasMetadata(columns: readonly Column[]): Readonly<Record<string, string>> {
  const described = columns.map(([root]) => ({
    name: root?.name,
    field_name: root?.name,
    ...typesOf(root?.type, root?.converted_type),
    metadata: null,
  }));
  return {
    pandas: JSON.stringify({
      index_columns: [],
      column_indexes: [],
      columns: described,
      attributes: {},
      creator: { library: 'agentforesight', version: '1' },
      pandas_version: '2.1.1',
    }),
  };
}

function typesOf(type: string | undefined, converted: string | undefined) {
  if (type === 'INT64') return { pandas_type: 'int64', numpy_type: 'int64' };
  return { pandas_type: converted === 'UTF8' ? 'unicode' : 'list[object]', numpy_type: 'object' };
}
