import { ALGORITHM_GENERATED, HAND_CRAFTED } from './who-and-when-files.js';

/** A file that anybody may have, and by what it is known again. */
export interface PublicFile {
  /** Where it belongs, under the folder that everything is fetched into, with `/` between names. */
  readonly path: string;
  readonly url: string;
  readonly bytes: number;
  /** In lower-case hexadecimal. */
  readonly sha256: string;
}

export interface PublicDataset {
  /** Also the name of its folder. */
  readonly name: string;
  readonly title: string;
  /** SPDX identifier. */
  readonly licence: string;
  /** For people: what it is, and by whom. */
  readonly homepage: string;
  readonly files: readonly PublicFile[];
}

const AFTRAJ = 'https://huggingface.co/datasets/ZBox008003/AFTraj';
const AFTRAJ_REVISION = '11191169d3d99298df098eee8d83db425117faba';

const WHO_AND_WHEN = 'mingyin1/Agents_Failure_Attribution';
const WHO_AND_WHEN_REVISION = 'b2bae5c5b06d681d04ea5e9b63b7a30525c04925';

const aftraj: PublicDataset = {
  name: 'aftraj',
  title: 'AFTraj-2K, by Boxuan Zhang, Jianing Zhu, Zeru Shi, Dongfang Liu and Ruixiang Tang',
  licence: 'CC-BY-4.0',
  homepage: AFTRAJ,
  files: [
    inAfTraj(
      'aftraj_safe.parquet',
      1_393_120,
      'cd16e0de24fa9f70f9832c7fee86ed2370d4d42deb8bdb6b97939c323aa8daa3',
    ),
    inAfTraj(
      'aftraj_unsafe.parquet',
      1_252_325,
      'f19d407898ebf32b32a2e99600f49f53a358ac2831fe437da3dc2a9fe25f8f41',
    ),
    inAfTraj('splits_test.json', 10_940, 'b0ac15a34ed051d571d76d537751a015d39a79408af0795723009182b9e76b8e'),
  ],
};

/** The JSON files of its repository, which is licensed; a copy on Hugging Face has them as Parquet, without a licence. */
const whoAndWhen: PublicDataset = {
  name: 'who-and-when',
  title: 'Who&When, by Shaokun Zhang, Ming Yin and others',
  licence: 'MIT',
  homepage: `https://github.com/${WHO_AND_WHEN}`,
  files: [
    inWhoAndWhen(
      'LICENSE',
      'LICENSE',
      1_065,
      'd82c84135b6bbb59e541aa9a81727e0a6c5f55d4e9247dafc054a632a74a6ab0',
    ),
    ...half('Algorithm-Generated', ALGORITHM_GENERATED),
    ...half('Hand-Crafted', HAND_CRAFTED),
  ],
};

/** What `agentforesight bench fetch` knows, by name. The product ships none of it. */
export const publicDatasets: ReadonlyMap<string, PublicDataset> = new Map(
  [aftraj, whoAndWhen].map((dataset) => [dataset.name, dataset]),
);

function inAfTraj(name: string, bytes: number, sha256: string): PublicFile {
  return { path: `aftraj/${name}`, url: `${AFTRAJ}/resolve/${AFTRAJ_REVISION}/${name}`, bytes, sha256 };
}

function inWhoAndWhen(path: string, published: string, bytes: number, sha256: string): PublicFile {
  const url = `https://raw.githubusercontent.com/${WHO_AND_WHEN}/${WHO_AND_WHEN_REVISION}/${published}`;
  return { path: `who-and-when/${path}`, url, bytes, sha256 };
}

/** @param lines number, bytes and checksum of one file each */
function half(name: string, lines: string): readonly PublicFile[] {
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [number, bytes, sha256] = line.split(' ') as [string, string, string];
      const path = `${name.toLowerCase()}/${number}.json`;
      return inWhoAndWhen(path, `Who%26When/${name}/${number}.json`, Number(bytes), sha256);
    });
}
