import { cutText } from '../entry/limits.ts'

/**
 * Scripts written without spaces. Each character is a word, so that a phrase finds any part of a sentence. U+30FC belongs to two of them.
 */
const UNSPACED =
  '\\u30fc\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}'
const WORD = new RegExp(`[${UNSPACED}]|(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}])+`, 'gu')
const ASCII = /^[\x00-\x7f]*$/

/** Longer words are cut, both in indexed text and in searches. */
const MAX_WORD_CHARACTERS = 64
/** Average length limit: to find N words, at most N times this many characters are read. */
const CHARACTERS_PER_WORD = 20

/** The first words of a text: runs of letters and digits, case-folded. */
export function wordsOf(text: string, maxWords: number): string[] {
  if (maxWords <= 0) return []
  const read = text.slice(0, maxWords * CHARACTERS_PER_WORD)
  // Fast path for ASCII, which most texts are: several times as fast.
  if (ASCII.test(read)) {
    const found = read.toLowerCase().match(/[a-z0-9]+/g) ?? []
    return found.slice(0, maxWords).map(word => word.slice(0, MAX_WORD_CHARACTERS))
  }
  const words: string[] = []
  for (const [word] of foldText(read).matchAll(WORD)) {
    if (words.push(cutText(word, MAX_WORD_CHARACTERS)) === maxWords) break
  }
  return words
}

/** NFKC-normalized lower case. A final sigma is treated like any other, so that prefixes of a word stay prefixes. */
export function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ')
}
