/** Between the words of a name: `payments:charge-card`, `sendEmail`. */
const BETWEEN_WORDS = /[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u

/** Whether a name is meant: it contains the typed text, or for each typed word a word that begins with it, in any order. */
export function isMeant(name: string, typed: string): boolean {
  const wanted = typed.trim().toLowerCase()
  if (name.toLowerCase().includes(wanted)) return true
  const words = name.split(BETWEEN_WORDS).map(word => word.toLowerCase())
  const wantedWords = wanted.split(BETWEEN_WORDS).filter(word => word !== '')
  return wantedWords.length > 0 && wantedWords.every(start => words.some(word => word.startsWith(start)))
}
