import { textRule } from './scrub-rule.js';

/**
 * `Animorphs</code>`: what a code agent's stop sequence leaves behind, in 72 % of AFTraj's safe agentic runs and none of
 * its natural failures. A closing tag whose opening one stands before it in the text is somebody's markup, and stays.
 */
export const closingCodeTags = textRule('closing-code-tags', (text) => {
  if (!text.includes('</code>')) return text;
  let open = 0;
  return text.replace(/<(\/?)code\b[^<>]{0,200}>/g, (tag, slash) => {
    if (slash === '') open++;
    else if (open === 0) return '';
    else open--;
    return tag;
  });
});
