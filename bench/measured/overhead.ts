/**
 * What auditing costs the CPU at each step, beside what the host takes bare: all ways to run a host take turns, forwards
 * and backwards, in short blocks, and each ratio is the median over rounds of two blocks of the same round.
 */
import { parseArgs } from 'node:util';
import { twoProcesses } from './overhead/two-processes.js';

const USAGE = `Usage: npm run bench:overhead [-- --framework langgraph|mastra|openaiAgents|aiSdk]

CPU per step with a no-op auditor asked at every turn (default redactor, no recorder), against the bare framework. For
LangGraph also against a no-op callback handler and OpenInference's tracer, and the audit's own cost in runs of 100, 1,000
and 10,000 nodes. At most four minutes a framework. The tables and, as the last line, one JSON object with a key per
framework go to stdout, progress to stderr.
`;

const FRAMEWORKS: Readonly<Record<string, () => Promise<object>>> = {
  langgraph: async () => (await import('./overhead/langgraph.js')).langgraph(),
  mastra: () => twoProcesses('mastra', { warmUp: 4, rounds: 24, block: 100 }),
  openaiAgents: () => twoProcesses('openai-agents', { warmUp: 8, rounds: 60, block: 100 }),
  aiSdk: () => twoProcesses('ai-sdk', { warmUp: 8, rounds: 60, block: 200 }),
};

const { values } = parseArgs({ options: { help: { type: 'boolean' }, framework: { type: 'string' } } });
if (values.help) process.stdout.write(USAGE);
else if (values.framework !== undefined && !(values.framework in FRAMEWORKS)) {
  const known = Object.keys(FRAMEWORKS).join(', ');
  process.stderr.write(`--framework: ${values.framework} is none of ${known}\n`);
  process.exitCode = 2;
} else {
  const measured: Record<string, object> = {};
  for (const [name, measure] of Object.entries(FRAMEWORKS)) {
    if ((values.framework ?? name) === name) measured[name] = await measure();
  }
  console.log(JSON.stringify(measured));
}
