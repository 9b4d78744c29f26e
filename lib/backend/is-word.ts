import { COMMON_WORDS } from './common-words.ts'

/** Longer words are known by their letters, shorter ones only by heart. */
const KNOWN_BY_HEART_LENGTH = 6
/** Of 9. Of made-up words of eight letters one in ten looks as much like a word, of words all but one in fifty do. */
const LIKENESS_MIN = 2.8

/**
 * How common a letter is behind another, from 0 to 9, in the words of 900 documents about programs: rows and columns are the edge of
 * a word and then `a` to `z`.
 */
const FOLLOWS = [
  '054554433411443351554323000', '304540130402645040546231021', '461226000520621510452500020',
  '450306005405410600425400010', '741027100600201400340300010', '641453220000435031664021300',
  '550016500600510600423400030', '840006134400314310531400000', '660017000600222610424300030',
  '233544340000447530355030103', '450006001300101521182422000', '742037210500213320252301020',
  '550136000601510510033310050', '563116000600230550041400020', '640455260402102410056220010',
  '323440230202447340644533100', '560016013400510540634300010', '500000002300400020202802000',
  '661337120502132510354310030', '730405104501210330046400010', '650306004600200410543300030',
  '244434230400546140655000000', '460008010600000400010210000', '562006025600315510540000000',
  '742505103500130260006000330', '832223120400333350042001000', '561118001502200410220300034'
] as const

/** Whether a run of ASCII letters may be a word of a language, rather than part of an id. */
export function isWord(text: string): boolean {
  const word = text.toLowerCase()
  if (word.length <= 2) return true
  if (word.length > KNOWN_BY_HEART_LENGTH) return likenessToWord(word) >= LIKENESS_MIN
  return COMMON_WORDS.has(word) || (word.endsWith('s') && COMMON_WORDS.has(word.slice(0, -1))) || (word.endsWith('ed') && COMMON_WORDS.has(word.slice(0, -2))) ||
    (word.endsWith('ed') && COMMON_WORDS.has(word.slice(0, -1))) || (word.endsWith('ing') && COMMON_WORDS.has(word.slice(0, -3)))
}

/** From 0 to 9. */
export function likenessToWord(text: string): number {
  let [sum, before] = [0, 0]
  for (const letter of text.toLowerCase()) {
    const place = letter.charCodeAt(0) - 96
    sum += Number(FOLLOWS[before]?.[place] ?? 0)
    before = place
  }
  return (sum + Number(FOLLOWS[before]?.[0] ?? 0)) / (text.length + 1)
}
