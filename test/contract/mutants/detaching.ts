import { langGraph, type Mutant, overHook } from './mutation.js';

export const detachingMutants: readonly Mutant[] = [
  {
    does: 'hooks the bare host itself',
    fails: [
      'the host that was hooked stays bare: it runs to its end and tells nobody',
      'two hooks of one host, each with its own runtime, hear their own runs only',
    ],
    subject: overHook((hooked, bare) => Object.assign(bare, { config: hooked.config })),
  },
  {
    does: 'does not know its own hooks again',
    fails: ['a host that is hooked twice with one runtime submits every turn once'],
    subject: overHook((_hooked, bare, runtime) => langGraph.harness.plugin.hook(bare, { ...runtime })),
  },
];
