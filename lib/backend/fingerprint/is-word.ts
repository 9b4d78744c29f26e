import { COMMON_WORDS } from './common-words.ts'
import { oddLetters } from './odd-letters.ts'

/** Longer words are judged by their letter sequences, shorter ones by the word list. */
const KNOWN_BY_HEART_LENGTH = 6
/** This many odd letter sequences in a longer word are no coincidence. */
export const ODD_LETTERS = 3
const LONG_LENGTH = 12
const LONG_ODD_LETTERS = 4
/** Whether a run of ASCII letters looks like a word of a language rather than part of an id. */
export function isWord(text: string): boolean {
  const word = text.toLowerCase()
  if (word.length <= 2) return true
  if (word.length > KNOWN_BY_HEART_LENGTH) return oddLetters(word) < (word.length < LONG_LENGTH ? ODD_LETTERS : LONG_ODD_LETTERS)
  return COMMON_WORDS.has(word) || (word.endsWith('s') && COMMON_WORDS.has(word.slice(0, -1))) ||
    (word.endsWith('ed') && COMMON_WORDS.has(word.slice(0, -2))) ||
    (word.endsWith('ed') && COMMON_WORDS.has(word.slice(0, -1))) || (word.endsWith('ing') && COMMON_WORDS.has(word.slice(0, -3)))
}
