import { textRule } from './scrub-rule.js';

/** `/tmp/tmp5z1spgz1.py`, `/var/folders/3x/…/T/tmpab12.py`, `C:\Users\ann\AppData\Local\Temp\x.txt`. */
const TEMPORARY =
  /(?:(?:\/private)?\/(?:var\/folders\/[\w+-]+\/[\w+-]+\/T|(?:var\/)?tmp)\/|[A-Z]:\\{1,2}Users\\{1,2}[^\s\\"'<>|]+\\{1,2}AppData\\{1,2}Local\\{1,2}Temp\\{1,2})[\w@+-]+(?:\.[\w@+-]+)*/g;

const HOMES: readonly (readonly [home: RegExp, anybodys: string])[] = [
  [/(\/(?:home|Users)\/)(?!user\b)[\w.@+-]+/g, '$1user'],
  [/\b([A-Z]:\\{1,2}Users\\{1,2})(?!user\b)[^\s\\"'<>|]+/g, '$1user'],
];

/** As in `<function check at 0x7f3a5c1d0e50>`. */
const ADDRESS = /\bat 0x[\da-f]{6,16}\b/gi;

/**
 * Names that a machine made up for one run: temporary files (in a quarter of AFTraj's coding injections and no safe coding
 * run), home folders, addresses in memory. That a traceback names a file at all stays to be seen.
 */
export const runSpecificPaths = textRule('run-specific-paths', (text) => {
  const shared = text.replace(TEMPORARY, (path) => `/tmp/file${/\.[a-z]{1,5}$/.exec(path)?.[0] ?? ''}`);
  return HOMES.reduce((changed, [home, anybodys]) => changed.replace(home, anybodys), shared).replace(
    ADDRESS,
    'at 0x0',
  );
});
