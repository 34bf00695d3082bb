import fc from 'fast-check';
import { expect, test } from 'vitest';
import { baseName, handoffTarget, isSameAgent } from '../../../collectors/importers/speaker.js';
import { splitThinkTags } from '../../../collectors/importers/think-tags.js';

test.each([
  ['Orchestrator (thought)', 'Orchestrator', undefined],
  ['Orchestrator (termination condition)', 'Orchestrator', undefined],
  ['Orchestrator (-> WebSurfer)', 'Orchestrator', 'WebSurfer'],
  ['Orchestrator (-> Solver (v2))', 'Orchestrator', 'Solver (v2)'],
  ['Solver (v2)', 'Solver (v2)', undefined],
  ['Blu-Ray_Expert', 'Blu-Ray_Expert', undefined],
  ['(thought)', '(thought)', undefined],
  ['Planner (thought) (-> Coder)', 'Planner', 'Coder'],
  ['规划者 (-> 检索者)', '规划者', '检索者'],
])('%s is %s', (speaker, base, target) => {
  expect(baseName(speaker)).toBe(base);
  expect(handoffTarget(speaker)).toBe(target);
});

test('a base name has no further form to strip', () => {
  const part = fc.constantFrom('A', ' ', '(thought)', '(termination condition)', '(-> ', ')', '(v2)');
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const base = baseName(parts.join(''));
      expect(baseName(base)).toBe(base);
    }),
  );
});

test('one agent is compared by base name', () => {
  expect(isSameAgent('Orchestrator (thought)', 'Orchestrator')).toBe(true);
  expect(isSameAgent('WebSurfer', 'Orchestrator (-> WebSurfer)')).toBe(false);
});

test.each([
  ['no tags', undefined, 'no tags'],
  ['<think>\na\n</think>\n\nb', 'a', 'b'],
  ['<think>a</think>b<think>c</think>d', 'a\n\nc', 'bd'],
  ['<think></think>b', undefined, 'b'],
  ['<think>never closed', undefined, '<think>never closed'],
  ['never opened</think>b', undefined, 'never opened</think>b'],
])('%j has thought %j and content %j', (text, thought, content) => {
  expect(splitThinkTags(text)).toEqual({ thought, content });
});
