import { textRule } from './scrub-rule.js';

/** Soft hyphens, zero-width and direction marks, byte order marks, variation selectors, icon fonts: no reader sees them. */
const INVISIBLE =
  /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|[\ufe00-\ufe0f]|\p{Private_Use}/gu;

export const invisibleCharacters = textRule('invisible-characters', (text) => text.replace(INVISIBLE, ''));
