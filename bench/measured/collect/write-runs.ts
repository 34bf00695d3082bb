/** Writes so many runs, made from AFTraj's, as files like AFTraj's: `write-runs.ts AFTRAJ-FOLDER RUNS FOLDER`. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { exportAfTraj } from '../../../collectors/exporters/aftraj.js';
import { replicatedRuns } from './replicated-runs.js';

const [data = '', runs = '', folder = ''] = process.argv.slice(2);
await exportAfTraj(replicatedRuns(data, Number(runs)), folder);
// None of them is held out.
await rm(path.join(folder, 'splits_test.json'));
