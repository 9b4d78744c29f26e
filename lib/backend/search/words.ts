/** Scripts written without spaces: each character is a word, so that a phrase finds any part of a sentence. */
const UNSPACED = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}'
const WORD = new RegExp(`[${UNSPACED}]|(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}])+`, 'gu')

/** Longer words are cut, in what is searched and in what is searched for. */
const WORD_CHARACTERS = 64
/** A word is at most so much longer than a letter: reading further than this for a number of words is not worth it. */
const CHARACTERS_A_WORD = 20

/** The first words of a text, in lower case and in their usual form (NFKC): runs of letters and digits. */
export function wordsOf(text: string, maxWords: number): string[] {
  const words: string[] = []
  for (const [word] of text.slice(0, maxWords * CHARACTERS_A_WORD).normalize('NFKC').toLowerCase().matchAll(WORD)) {
    if (words.push(word.slice(0, WORD_CHARACTERS)) === maxWords) break
  }
  return words
}
