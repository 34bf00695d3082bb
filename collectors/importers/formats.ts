import { afTrajImporter } from './aftraj.js';
import type { Importer } from './importer.js';
import { runLogImporter } from './run-log.js';
import { whoAndWhenImporter } from './who-and-when.js';

/** Every format that is read. The first that recognises a file reads it, so the particular stand before the general. */
export const importers: readonly Importer[] = [runLogImporter, afTrajImporter, whoAndWhenImporter];
