import { afTrajImporter } from './aftraj.js';
import { atifImporter } from './atif.js';
import { autoGenImporter } from './autogen.js';
import type { Importer } from './importer.js';
import { langfuseImporter } from './langfuse.js';
import { langSmithImporter } from './langsmith.js';
import { metaGptImporter } from './metagpt.js';
import { openAiMessagesImporter } from './openai-messages.js';
import { otlpImporter } from './otlp.js';
import { runLogImporter } from './run-log.js';
import { smolAgentsImporter } from './smolagents.js';
import { whoAndWhenImporter } from './who-and-when.js';

/** Every format that is read. The first that recognises a file reads it, so the particular stand before the general. */
export const importers: readonly Importer[] = [
  runLogImporter,
  afTrajImporter,
  atifImporter,
  otlpImporter,
  langSmithImporter,
  langfuseImporter,
  metaGptImporter,
  smolAgentsImporter,
  whoAndWhenImporter,
  autoGenImporter,
  openAiMessagesImporter,
];
