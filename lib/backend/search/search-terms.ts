import { type SearchField, isSearchField } from './search-fields.ts'

/** A term as written. Positions are offsets into the search, `end` exclusive. */
export interface SearchTerm {
  readonly start: number
  readonly end: number
  /** Null for free text. */
  readonly field: SearchField | null
  /** Keys of `args.user.id:`; empty if there are none. */
  readonly path: readonly string[]
  /** Start of the value after the colon, or of the text itself, including quotes. */
  readonly valueStart: number
  /** Without quotes and escapes. */
  readonly value: string
  readonly isQuoted: boolean
}

/** A syntax error and its position. */
export interface SearchFault { readonly position: number; readonly message: string }

/** Control characters separate terms like spaces; no name or id contains any. */
export const SEPARATOR = /[\s\p{Cc}]/u
const FIELD = /([a-z]+):/iy
const PATH = /args((?:\.(?:"(?:[^"\\]|\\.)*"|[^\s\p{Cc}".:]+))+):/iuy
const KEY = /\.(?:"((?:[^"\\]|\\.)*)"|([^".:]+))/g
const QUOTED = /"(?:[^"\\]|\\.)*"/suy

/** The terms up to the first error, and that error or null. */
export function readTerms(search: string): { terms: SearchTerm[]; fault: SearchFault | null } {
  const terms: SearchTerm[] = []
  for (let position = skipSeparators(search, 0); position < search.length;) {
    const term = readTerm(search, position)
    if ('message' in term) return { terms, fault: term }
    terms.push(term)
    position = skipSeparators(search, term.end)
  }
  return { terms, fault: null }
}

/** `\"` is a quote and `\\` a backslash. Any other backslash is literal, so that paths can be pasted. */
export function unquote(inside: string): string {
  return inside.replace(/\\(["\\])/g, '$1')
}

/** A value as written in a search, quoted if necessary. */
export function quoteSearchValue(value: string): string {
  if (value !== '' && !/^["'‘’“”„«]|\*/.test(value) && !SEPARATOR.test(value)) return value
  return `"${value.replace(/["\\]/g, '\\$&')}"`
}

function readTerm(search: string, start: number): SearchTerm | SearchFault {
  const name = readName(search, start)
  const valueStart = name.end
  // `Error: no route` is pasted text.
  if (name.field === 'error' && SEPARATOR.test(search.charAt(valueStart))) return bareTerm(search, start, noName(start))
  if (search[valueStart] !== '"') return bareTerm(search, start, name)
  const quoted = matchAt(QUOTED, search, valueStart)
  if (!quoted) return { position: valueStart, message: 'this quote is not closed; write \\" for a quote inside quotes' }
  const end = valueStart + quoted[0].length
  if (end < search.length && !SEPARATOR.test(search[end]!))
    return { position: end, message: 'a space must follow the closing quote; write \\" for a quote inside quotes' }
  return { start, end, field: name.field, path: name.path, valueStart, value: unquote(quoted[0].slice(1, -1)), isQuoted: true }
}

interface Name { readonly field: SearchField | null; readonly path: readonly string[]; readonly end: number }

/** A word with a colon that is not a field is text: a URL, `TypeError:`, `10:30`. */
function readName(search: string, start: number): Name {
  const path = matchAt(PATH, search, start)
  if (path) {
    const keys = Array.from(path[1]!.matchAll(KEY), ([, quoted, bare]) => bare ?? unquote(quoted!))
    return { field: 'args', path: keys, end: start + path[0].length }
  }
  const name = matchAt(FIELD, search, start)
  const field = name?.[1]!.toLowerCase()
  return name && isSearchField(field) ? { field, path: [], end: start + name[0].length } : noName(start)
}

function noName(start: number): Name {
  return { field: null, path: [], end: start }
}

function bareTerm(search: string, start: number, { field, path, end: valueStart }: Name): SearchTerm {
  let end = valueStart
  while (end < search.length && !SEPARATOR.test(search[end]!)) end++
  return { start, end, field, path, valueStart, value: search.slice(valueStart, end), isQuoted: false }
}

function skipSeparators(search: string, from: number): number {
  let position = from
  while (position < search.length && SEPARATOR.test(search[position]!)) position++
  return position
}

/** `pattern` must be sticky. */
function matchAt(pattern: RegExp, text: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position
  return pattern.exec(text)
}
