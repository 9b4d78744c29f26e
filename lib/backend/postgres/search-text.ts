import { hash } from 'node:crypto'
import type { TextCondition } from '../search/text-condition.ts'
import type { Searchable } from '../search/searchable.ts'
import { pathToken } from '../search/searchable.ts'
import { toStorable } from '../entry/storable-text.ts'

/**
 * Builds tsvector and tsquery text here instead of with PostgreSQL's parsers, so that every driver finds the same words. Weight A is the
 * error, B the arguments, C the rest. One position is skipped between texts, so that no phrase crosses them. Paths are separate words that
 * start with U+001F, as no other word does.
 */
const WEIGHTS = { error: 'A', args: 'B', other: 'C' } as const

/** PostgreSQL keeps at most this many positions per word. Further occurrences are stored as separate words. */
const POSITIONS_PER_WORD = 255
/** At most this many: `SEARCHED` limits a text to four times that many words. */
const REPEATED = ['', '\u001f1', '\u001f2', '\u001f3'] as const

export function toSearchVector(searchable: Searchable): string {
  // Words are letters and digits, so nothing needs quoting or escaping.
  const positions = new Map<string, string>()
  let position = 0
  for (const [part, weight] of Object.entries(WEIGHTS) as Array<[keyof typeof WEIGHTS, string]>) {
    for (const words of searchable[part]) {
      for (const word of words) {
        const earlier = positions.get(word)
        const entry = `${++position}${weight}`
        positions.set(word, earlier === undefined ? entry : `${earlier},${entry}`)
      }
      position++
    }
  }
  let lexemes = ''
  const hasRepeated = position > POSITIONS_PER_WORD
  for (const [word, entries] of positions) lexemes += hasRepeated ? repeatedLexemes(word, entries.split(',')) : `'${word}':${entries} `
  for (const token of searchable.paths) lexemes += `'${pathWord(token)}' `
  return lexemes
}

function repeatedLexemes(word: string, entries: readonly string[]): string {
  let lexemes = ''
  for (const [time, suffix] of REPEATED.entries()) {
    const kept = entries.slice(time * POSITIONS_PER_WORD, (time + 1) * POSITIONS_PER_WORD)
    if (kept.length === 0) break
    lexemes += `'${word}${suffix}':${kept.join(',')} `
  }
  return lexemes
}

export function toSearchQuery(conditions: readonly TextCondition[]): string {
  return conditions.map(condition => {
    if (condition.in === 'path') return quote(pathWord(pathToken(condition.path, condition.value)))
    const weight = condition.in === 'any' ? '' : WEIGHTS[condition.in]
    const last = condition.words.length - 1
    const phrase = condition.words.map((word, i) => {
      // Repeated words are stored with a suffix, so the prefix matches them too.
      if (i === last) return `${quote(word)}:*${weight}`
      return `(${REPEATED.map(suffix => quote(word + suffix) + (weight && `:${weight}`)).join('|')})`
    })
    return `(${phrase.join('<->')})`
  }).join('&')
}

/** A digest, because a word has at most 2,046 bytes. */
function pathWord(token: string): string {
  return `\u001f${hash('sha256', token, 'base64').slice(0, 16)}`
}

function quote(word: string): string {
  return `'${toStorable(word).replace(/['\\]/g, '$&$&')}'`
}
