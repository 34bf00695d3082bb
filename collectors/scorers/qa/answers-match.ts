const ARTICLES = /\b(?:a|an|the)\b/g;
const PUNCTUATION = /[\p{P}\p{S}]/gu;
const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;

/**
 * Whether an answer is the reference after the normalisations that question answering is scored with: as a number where the
 * reference is one, item by item where it is a list (GAIA), and else as SQuAD does it: case, articles, punctuation and
 * white space aside. Of a reference of yes or no, the answer's first word decides.
 */
export function answersMatch(reference: string, answer: string): boolean {
  const number = numberOf(reference);
  if (number !== undefined) return number === numberOf(answer);
  const items = listOf(reference);
  if (items.length > 1) {
    const given = listOf(answer);
    return given.length === items.length && items.every((item, index) => isItem(item, given[index] ?? ''));
  }
  const text = normalised(reference);
  if (text === 'yes' || text === 'no') return normalised(answer).split(' ')[0] === text;
  return text !== '' && text === normalised(answer);
}

/** Whether the reference stands somewhere in the answer, as whole words. */
export function answerHolds(reference: string, answer: string): boolean {
  const text = normalised(reference);
  return text !== '' && ` ${normalised(answer)} `.includes(` ${text} `);
}

function isItem(reference: string, answer: string): boolean {
  const number = numberOf(reference);
  if (number !== undefined) return number === numberOf(answer);
  return normalised(reference) !== '' && normalised(reference) === normalised(answer);
}

function normalised(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(PUNCTUATION, ' ')
    .replace(ARTICLES, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** `$1,234.50`, `**12**` and `45 %` are numbers; `12 km` is none. */
function numberOf(text: string): number | undefined {
  const plain = text
    .normalize('NFKC')
    .replace(/^[\s*_`"']+|[\s*_`"'.]+$/g, '')
    .replace(/[$€£%\s]/g, '')
    .replace(/(?<=\d),(?=\d{3}(?:\D|$))/g, '');
  return NUMBER.test(plain) ? Number(plain) : undefined;
}

function listOf(text: string): readonly string[] {
  return text
    .split(/[,;]/)
    .map((item) => item.trim())
    .filter(Boolean);
}
