// Runs blocks of one framework's subjects in a process of its own, when it is told to: `worker.js <framework> <bare|audited>`.
// The bare one never loads what audits: its taps would be on the framework's classes.
import { cpuPerStep } from './measure.js';
import type { Hook, SubjectsOf } from './subject.js';

const [, , framework = '', way] = process.argv;
const { subjects }: { subjects: SubjectsOf } = await import(`./${framework}.js`);
const hook: Hook =
  way === 'audited' ? await (await import('./hooks.js')).auditedHook(framework) : (host) => host;
const built = subjects(hook);

process.on('message', async ({ name, block }: { readonly name: string; readonly block: number }) => {
  const subject = built[name];
  if (!subject) throw new Error(`no subject ${name}`);
  const runs = Math.ceil(block / subject.steps);
  const cost = await cpuPerStep(runs * subject.steps, async () => {
    for (let run = 0; run < runs; run++) await subject.run();
  });
  process.send?.(cost);
});
process.send?.(Object.entries(built).map(([name, { label }]) => ({ name, label })));
