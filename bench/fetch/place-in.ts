import { mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { InputError } from '../../core/index.js';

/** One name of a path, on any system: no way up, no drive, no hidden separator, nothing that a terminal or shell would obey. */
const NAME = /^[A-Za-z\d][\w.-]{0,100}$/;

/**
 * Where a file of a list belongs below a folder, whose sub-folders are made. Lists of files come from elsewhere: none may
 * name a place outside, and no link below the folder may lead there.
 * @throws InputError for such a path
 */
export async function placeIn(folder: string, listed: string): Promise<string> {
  const names = listed.split('/');
  if (!names.every((name) => NAME.test(name))) throw outside(folder, listed);
  const place = path.join(folder, ...names);
  await mkdir(path.dirname(place), { recursive: true });
  const [root, parent] = await Promise.all([realpath(folder), realpath(path.dirname(place))]);
  if (parent !== path.join(root, ...names.slice(0, -1))) throw outside(folder, listed);
  return place;
}

function outside(folder: string, listed: string): InputError {
  return new InputError(
    { file: folder },
    `is to get a file at ${JSON.stringify(listed)}, which is no plain place inside of it`,
    'Take links out of the folder, and fetch from whom you trust',
  );
}
