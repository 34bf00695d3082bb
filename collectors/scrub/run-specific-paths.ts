import { textRule } from './scrub-rule.js';

const SPECIFIC: readonly (readonly [specific: RegExp, general: string])[] = [
  // `/tmp/tmp5z1spgz1.py`, `/var/folders/3x/…/T/tmpab12.py`: the file's ending stays, which says what it was.
  [
    /(?:\/private)?\/(?:var\/folders\/[\w+-]+\/[\w+-]+\/T|(?:var\/)?tmp)\/[\w.@+-]*?(\.[a-z]{1,5})?(?![\w.@+-])/g,
    '/tmp/file$1',
  ],
  [
    /[A-Z]:(\\{1,2})Users\1[^\s\\"'<>|]+\1AppData\1Local\1Temp\1[\w.@+-]*?(\.[a-z]{1,5})?(?![\w.@+-])/g,
    '/tmp/file$2',
  ],
  [/(\/(?:home|Users)\/)(?!user\b)[\w.@+-]+/g, '$1user'],
  [/\b([A-Z]:\\{1,2}Users\\{1,2})(?!user\b)[^\s\\"'<>|]+/g, '$1user'],
  // `<function check at 0x7f3a5c1d0e50>`
  [/\bat 0x[\da-f]{6,16}\b/gi, 'at 0x0'],
];

/**
 * Names that a machine made up for one run: temporary files (in a quarter of AFTraj's coding injections and no safe coding
 * run), home folders, addresses in memory. That a traceback names a file at all stays to be seen.
 */
export const runSpecificPaths = textRule('run-specific-paths', (text) =>
  SPECIFIC.reduce((changed, [specific, general]) => {
    return changed.replace(specific, (...match) =>
      general.replace(/\$(\d)/g, (_, group) => match[Number(group)] ?? ''),
    );
  }, text),
);
