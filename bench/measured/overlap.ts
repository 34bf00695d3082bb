/**
 * What waiting for verdicts costs in wall-clock time under `gating: 'block'` and under `'overlap'`, where the next model
 * call runs while its predecessor is judged; and whether the same tools run in both when an alarm comes.
 */
import { parseArgs } from 'node:util';
import { rounded } from './overhead/measure.js';
import { printTable } from './overhead/table.js';
import { type Measured, measure, toolsUnderAlarms } from './overlap/measure.js';
import { AUDIT_MS, MODEL_MS, type Workloads } from './overlap/workload.js';

const USAGE = `Usage: npm run bench:overlap [-- --framework langgraph|mastra|openaiAgents|aiSdk] [--rounds N]

Wall-clock time of a run whose model takes ${MODEL_MS} ms and whose auditor takes ${AUDIT_MS} ms per turn, unaudited, with gating 'block'
and with gating 'overlap'; then whether an alarm at any turn lets the same tools run under both. Takes about a minute
and a half a framework. The tables and, as the last line, one JSON object with a key per framework go to stdout, progress to
stderr. Exits with 1 if a tool ran under overlap that did not run under block.
`;

const FRAMEWORKS: Readonly<Record<string, () => Promise<{ workloads: Workloads }>>> = {
  langgraph: () => import('./overlap/langgraph.js'),
  mastra: () => import('./overlap/mastra.js'),
  openaiAgents: () => import('./overlap/openai-agents.js'),
  aiSdk: () => import('./overlap/ai-sdk.js'),
};

async function measured(name: string, { conversation, toolAgent }: Workloads, rounds: number) {
  const rows: Measured[] = [];
  for (const workload of [conversation(6), conversation(12), toolAgent(3)]) {
    process.stderr.write(`${name}: ${workload.label}\n`);
    rows.push(await measure(workload, rounds));
  }
  process.stderr.write(`${name}: alarms\n`);
  const block = await toolsUnderAlarms(toolAgent(3), 'block');
  const overlap = await toolsUnderAlarms(toolAgent(3), 'overlap');
  const sameTools = block.join('\n') === overlap.join('\n');
  const cells = rows.map(({ label, unaudited, block, overlap }) => [
    label,
    `${unaudited.toFixed(0)} ms`,
    block.toFixed(2),
    overlap.toFixed(2),
  ]);
  printTable([[name, 'unaudited', 'block', 'overlap'], ...cells]);
  const which = sameTools ? 'the same' : 'OTHER';
  console.log(`an alarm at each of ${block.length - 1} turns: ${which} tools run under both\n`);
  const [headline, longer, tools] = rows as [Measured, Measured, Measured];
  return {
    overlap: rounded(headline.overlap),
    block: rounded(headline.block),
    sameTools,
    longer: { overlap: rounded(longer.overlap), block: rounded(longer.block) },
    toolAgent: { overlap: rounded(tools.overlap), block: rounded(tools.block) },
  };
}

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    framework: { type: 'string' },
    rounds: { type: 'string', default: '11' },
  },
});
const rounds = Number(values.rounds);
const refuse = (why: string) => {
  process.stderr.write(`${why}\n`);
  process.exitCode = 2;
};
if (values.help) process.stdout.write(USAGE);
else if (!(Number.isInteger(rounds) && rounds > 0)) {
  refuse(`--rounds: ${values.rounds} is not a whole number above 0`);
} else if (values.framework !== undefined && !(values.framework in FRAMEWORKS)) {
  refuse(`--framework: ${values.framework} is none of ${Object.keys(FRAMEWORKS).join(', ')}`);
} else {
  const shown: Record<string, Awaited<ReturnType<typeof measured>>> = {};
  for (const [name, load] of Object.entries(FRAMEWORKS)) {
    if ((values.framework ?? name) === name)
      shown[name] = await measured(name, (await load()).workloads, rounds);
  }
  console.log(JSON.stringify(shown));
  if (Object.values(shown).some(({ sameTools }) => !sameTools)) process.exitCode = 1;
}
