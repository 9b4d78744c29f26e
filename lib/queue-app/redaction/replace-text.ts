/**
 * Up to this length, `replaceAll` compares each character of the text at most this many times. For longer texts it may compare each one
 * with all of them.
 */
const SHORT_LENGTH = 64

/** Like `text.replaceAll(wanted, () => replacement)`, but always in linear time. */
export function replaceText(text: string, wanted: string, replacement: string): string {
  if (wanted.length > text.length) return text
  if (wanted.length <= SHORT_LENGTH) return text.replaceAll(wanted, () => replacement)
  // Almost no text contains even the start of it.
  const first = text.indexOf(wanted.slice(0, SHORT_LENGTH))
  if (first === -1) return text

  const borders = bordersOf(wanted)
  const parts: string[] = []
  let [copied, matched] = [0, 0]
  for (let i = first; i < text.length; i++) {
    matched = nextMatched(wanted, borders, matched, text.charCodeAt(i))
    if (matched < wanted.length) continue
    parts.push(text.slice(copied, i + 1 - wanted.length), replacement)
    copied = i + 1
    matched = 0
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(copied)
}

/** The length of the longest end of a text that is a proper prefix of the wanted one. Linear time. */
export function overlapAtEnd(text: string, wanted: string): number {
  const tail = text.slice(Math.max(0, text.length - wanted.length + 1))
  // A match at the end cannot be longer.
  const start = wanted.slice(0, tail.length)
  const borders = bordersOf(start)
  let matched = 0
  for (let i = 0; i < tail.length; i++) matched = nextMatched(start, borders, matched, tail.charCodeAt(i))
  return matched
}

/** The Knuth-Morris-Pratt algorithm. */
function nextMatched(wanted: string, borders: Uint32Array, matched: number, unit: number): number {
  let length = matched
  while (length > 0 && (length === wanted.length || wanted.charCodeAt(length) !== unit)) length = borders[length - 1]!
  return wanted.charCodeAt(length) === unit ? length + 1 : length
}

/** For each prefix of the text: the length of its longest proper prefix that is also its suffix. */
function bordersOf(wanted: string): Uint32Array {
  const borders = new Uint32Array(wanted.length)
  for (let i = 1; i < wanted.length; i++) borders[i] = nextMatched(wanted, borders, borders[i - 1]!, wanted.charCodeAt(i))
  return borders
}
