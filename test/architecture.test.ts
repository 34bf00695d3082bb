import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

// The rules of docs/architecture.md that a machine can check.

const root = path.resolve(import.meta.dirname, '..');
const SOURCES = ['core', 'plugins', 'collectors', 'cli', 'bench', 'examples', 'test'];
const TOP_LEVEL = [...SOURCES, 'trainer', 'docs', 'monitor'];
const NOT_OURS = ['node_modules', 'dist', 'runs', 'coverage'];

const files = SOURCES.flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(m?ts)$/.test(file) && !file.includes('node_modules'))
    .map((file) => path.join(folder, file)),
);
const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8');
const inProduct = files.filter((file) => !file.startsWith('test/'));

/** Everything a file imports, dynamically too. */
function importsOf(file: string): string[] {
  const text = textOf(file).replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');
  return [
    ...text.matchAll(
      /(?:^|\s)(?:import|export)\s[^;'"]*?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|^import\s+['"]([^'"]+)['"]/gm,
    ),
  ].map(([, ...names]) => names.find((name) => name !== undefined) as string);
}

/** The folders of ours that a file reaches into. */
function reaches(file: string): string[] {
  return importsOf(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => path.join(path.dirname(file), name).split(path.sep)[0] as string);
}

function importing(packages: RegExp): string[] {
  return inProduct.filter((file) => importsOf(file).some((name) => packages.test(name)));
}

test('the scan sees the tree and its imports', () => {
  expect(files.length).toBeGreaterThan(60);
  expect(importsOf('core/runtime.ts')).toContain('./session.js');
  expect(importsOf('cli/demo.ts')).toContain('./demo/team.js');
});

test('the top level holds the named folders only', () => {
  const folders = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !NOT_OURS.includes(entry.name))
    .map((entry) => entry.name);
  expect(folders.filter((folder) => !TOP_LEVEL.includes(folder))).toEqual([]);
});

describe('imports point one way', () => {
  const allowed: Record<string, string[]> = {
    core: ['core'],
    plugins: ['core', 'plugins'],
    collectors: ['core', 'collectors'],
    trainer: ['core', 'collectors', 'trainer'],
    bench: ['core', 'collectors', 'bench'],
    cli: ['core', 'plugins', 'collectors', 'trainer', 'bench', 'cli'],
  };
  test.each(inProduct.filter((file) => (file.split('/')[0] as string) in allowed))('%s', (file) => {
    const folder = file.split('/')[0] as string;
    expect(reaches(file).filter((reached) => !allowed[folder]?.includes(reached))).toEqual([]);
  });

  test('from outside, core is entered through its index only', () => {
    const outsiders = inProduct.filter((file) => !file.startsWith('core/'));
    const deep = outsiders.flatMap((file) =>
      importsOf(file)
        .filter((name) => name.startsWith('.') && /\/core\/(?!index\.js|testing\/index\.js)/.test(name))
        .map((name) => `${file}: ${name}`),
    );
    expect(deep).toEqual([]);
  });

  test('one plugin knows nothing of another', () => {
    const crossing = files
      .filter((file) => file.startsWith('plugins/'))
      .filter((file) =>
        importsOf(file).some((name) => name.startsWith('../') && !name.startsWith('../../core/')),
      );
    expect(crossing).toEqual([]);
  });
});

describe('what ships of test/', () => {
  const shipped = new Set<string>();
  const reach = (file: string) => {
    if (shipped.has(file)) return;
    shipped.add(file);
    for (const name of importsOf(file).filter((imported) => imported.startsWith('.'))) {
      const source = path.join(path.dirname(file), name.replace(/\.js$/, '.ts'));
      if (source.startsWith('test/')) reach(source);
    }
  };
  reach('test/index.ts');

  test('is the contract, and nothing else', () => {
    expect(shipped).toContain('test/contract/halting.ts');
    expect([...shipped].filter((file) => !/^test\/(index|contract\/[a-z-]+)\.ts$/.test(file))).toEqual([]);
  });

  test.each([...shipped])('%s imports the contract, what core exports, and Node', (file) => {
    const others = importsOf(file)
      .map((name) => (name.startsWith('.') ? path.join(path.dirname(file), name) : name))
      .filter((name) => !/^(node:|test\/contract\/|core\/(testing\/)?index\.js$)/.test(name));
    expect(others).toEqual([]);
  });
});

describe('each outside package is imported where it is meant to be', () => {
  test('LangGraph and LangChain: its plugin, its benches, the demo team, the examples', () => {
    const elsewhere = importing(/^(@langchain\/|langchain$)/).filter(
      (file) =>
        !/^(plugins\/langgraph|cli\/demo|examples|bench\/measured\/over(head|lap))\/|^bench\/measured\/over(head|lap)\.ts/.test(
          file,
        ),
    );
    expect(elsewhere).toEqual([]);
  });

  test.each([
    [/^openai$/, ['bench/measured/walk.ts']],
    [/^ws$/, ['core/gateway/server.ts', 'core/gateway/client.ts']],
    [/^@mastra\//, ['plugins/mastra/', 'examples/', 'bench/measured/overhead/', 'bench/measured/overlap/']],
    [
      /^@openai\/agents/,
      ['plugins/openai-agents/', 'examples/', 'bench/measured/overhead/', 'bench/measured/overlap/'],
    ],
    [
      /^(ai|@ai-sdk\/[a-z-]+)(\/|$)/,
      ['plugins/ai-sdk/', 'examples/', 'bench/measured/overhead/', 'bench/measured/overlap/'],
    ],
    [/^hyparquet$/, ['collectors/importers/parquet-file.ts']],
    [/^hyparquet-writer$/, ['collectors/exporters/parquet-table.ts']],
    [/^commander$/, ['cli/main.ts', 'cli/bench-commands.ts', 'cli/option-values.ts']],
    [/^@(arizeai\/|opentelemetry\/sdk)/, ['bench/measured/overhead/variants.ts']],
    [/^@opentelemetry\/api$/, ['core/telemetry.ts']],
    [/^pg$/, ['core/recorders/postgres-', 'core/run-log/postgres-log.ts']],
    [/^pg-boss$/, ['collectors/queue/']],
    [/^cockatiel$/, ['core/chat-client/circuit.ts']],
    [/^gpt-tokenizer/, ['core/auditors/prompt/count-tokens.ts']],
    [/^d3-/, ['bench/plot/']],
    [/^ajv/, ['collectors/stages/filter/argument-schemas.ts']],
    [/^@cortex-js\//, ['collectors/scorers/math/']],
  ])('%s', (packages, places) => {
    expect(importing(packages).filter((file) => !places.some((place) => file.startsWith(place)))).toEqual([]);
  });

  test('importing core loads no circuit breaker: its package takes a moment, and only model clients need it', () => {
    const importers = files.filter(
      (file) => file.startsWith('core/') && importsOf(file).some((name) => name.endsWith('/circuit.js')),
    );
    expect(importers).toEqual(['core/chat-client.ts']);
    const client = textOf('core/chat-client.ts');
    expect(client).toContain("import('./chat-client/circuit.js')");
    expect(client).not.toMatch(/^import (?!type )[^;]*'\.\/chat-client\/circuit\.js'/m);
  });

  test('core needs few others than Node', () => {
    const known = ['zod', 'cockatiel', 'gpt-tokenizer', '@opentelemetry/api', 'pg'];
    const outside = files
      .filter((file) => file.startsWith('core/'))
      .flatMap(importsOf)
      .filter((name) => !name.startsWith('.') && !name.startsWith('node:'))
      .filter((name) => !known.some((allowed) => name === allowed || name.startsWith(`${allowed}/`)));
    expect(outside).toEqual([]);
  });
});

describe('style', () => {
  test('file names are kebab-case, and none is called utils or helpers', () => {
    const odd = files.filter(
      (file) => !/^[a-z\d]+(-[a-z\d]+)*(\.test|\.d|\.config)?\.m?ts$/.test(path.basename(file)),
    );
    expect(odd).toEqual([]);
    expect(files.filter((file) => /(^|\/)(utils?|helpers?|common|misc)(\/|\.)/.test(file))).toEqual([]);
  });

  test('no file is over 300 lines', () => {
    expect(files.filter((file) => textOf(file).split('\n').length > 300)).toEqual([]);
  });

  test('no default exports, and no re-exports but in an index', () => {
    expect(inProduct.filter((file) => /^export default/m.test(textOf(file)))).toEqual([]);
    const barrels = inProduct.filter((file) => /^export (\*|\{[^}]*\}) from/m.test(textOf(file)));
    expect(barrels.filter((file) => path.basename(file) !== 'index.ts')).toEqual([]);
  });
});

test('the package manifest: every subpath has a source, and every framework is an optional peer', () => {
  const manifest = JSON.parse(textOf('package.json'));
  for (const [subpath, target] of Object.entries<{ default: string } | string>(manifest.exports)) {
    if (typeof target === 'string') continue;
    const source = target.default.replace(/^\.\/dist\//, '').replace(/\.js$/, '.ts');
    expect(files, subpath).toContain(source);
  }
  for (const peer of Object.keys(manifest.peerDependencies)) {
    expect(manifest.peerDependenciesMeta[peer]?.optional, peer).toBe(true);
  }
  expect(manifest.engines.node).toBe('>=22.13');
});

test('the lower bound of every peer is the version that its plugin is tested on', () => {
  const { peerDependencies, devDependencies } = JSON.parse(textOf('package.json'));
  const frameworks = readdirSync(path.join(root, 'test/lowest'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const lowest = Object.assign(
    // Tested on one version alone, which is the lowest.
    { pg: devDependencies.pg, 'pg-boss': devDependencies['pg-boss'] },
    ...frameworks.map((name) => JSON.parse(textOf(`test/lowest/${name}/package.json`)).dependencies),
  );
  for (const [peer, range] of Object.entries(peerDependencies))
    expect(range, peer).toMatch(new RegExp(`^>=${lowest[peer]?.replaceAll('.', '\\.')} <\\d`));
});

test('the README names only npm scripts, options and files that exist', () => {
  const readme = textOf('README.md');
  const { scripts } = JSON.parse(textOf('package.json'));
  const named = [...readme.matchAll(/npm run ([\w:-]+)/g)].map(([, script]) => script as string);
  expect(named.filter((script) => !(script in scripts))).toEqual([]);
  const options = [...readme.matchAll(/^\| `(\w+)`\s*\|/gm)].map(([, option]) => option as string);
  const known = [...textOf('core/runtime.ts').matchAll(/readonly (\w+)\?:/g)].map(
    ([, option]) => option as string,
  );
  expect(options.toSorted()).toEqual(known.toSorted());
  const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link]) => link as string);
  expect(
    links.filter((link) => !readdirSync(path.join(root, path.dirname(link))).includes(path.basename(link))),
  ).toEqual([]);
});
