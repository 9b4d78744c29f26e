import type { Execution } from '../../execution.ts'
import { cutText } from '../entry/limits.ts'
import type { TextCondition } from './text-condition.ts'
import { foldText, wordsOf } from './words.ts'

/** The searchable parts of an execution. Each inner array holds the words of one text; a phrase never crosses texts. */
export interface Searchable {
  readonly error: readonly string[][]
  readonly args: readonly string[][]
  /** Task name and execution id. */
  readonly other: readonly string[][]
  /** Made by `pathToken` from each string, number, boolean and null in the arguments. */
  readonly paths: ReadonlySet<string>
}

/** Text beyond these limits is not found. */
export const SEARCHED = {
  errorWords: 200,
  argsWords: 300,
  otherWords: 40,
  paths: 100,
  pathDepth: 8,
  /** Nesting depth and total values inspected. Arguments may be nested as deep as JSON allows. */
  levels: 20,
  values: 2_000,
  pathCharacters: 200,
  valueCharacters: 100
} as const

/** @param args as kept in the history: a preview if they were cut */
export function searchableOf(
  execution: Pick<Execution, 'executionId' | 'taskName' | 'error'>, args: readonly unknown[] | null
): Searchable {
  const found: Collected = { words: [], left: SEARCHED.argsWords, values: SEARCHED.values, paths: new Set() }
  collect(args ?? [], [], 0, found)
  const error: string[][] = []
  let left: number = SEARCHED.errorWords
  for (const text of execution.error === null ? [] : [execution.error.type, execution.error.message]) {
    const words = wordsOf(text, left)
    left -= words.length
    if (words.length > 0) error.push(words)
    if (left === 0) break
  }
  const other = [
    execution.taskName, execution.executionId
  ].map(text => wordsOf(text, SEARCHED.otherWords)).filter(words => words.length > 0)
  return { error, args: found.words, other, paths: found.paths }
}

export function matchesText(searchable: Searchable, conditions: readonly TextCondition[]): boolean {
  return conditions.every(condition => {
    if (condition.in === 'path') return searchable.paths.has(pathToken(condition.path, condition.value))
    const texts = condition.in === 'any' ? [...searchable.other, ...searchable.error, ...searchable.args] : searchable[condition.in]
    return texts.some(words => hasPhrase(words, condition.words))
  })
}

/** One case-folded text for a path and its value: U+001F between keys, twice before the value. Any datastore can hold it. */
export function pathToken(path: readonly string[], value: string): string {
  const keys = cutText(path.map(key => toPlain(cutText(key, SEARCHED.pathCharacters))).join('\u001f'), SEARCHED.pathCharacters)
  return foldText(`${keys}\u001f\u001f${toPlain(cutText(value, SEARCHED.valueCharacters))}`)
}

/** Replaces control characters, one of which separates the parts of a token, and unpaired surrogates. */
function toPlain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}]/gu, ' ')
}

interface Collected { readonly words: string[][]; left: number; values: number; readonly paths: Set<string> }

function collect(value: unknown, path: readonly string[], level: number, found: Collected): void {
  if (found.values-- <= 0 || level > SEARCHED.levels) return
  if (Array.isArray(value)) {
    for (const each of value) {
      if (isFull(found)) return
      collect(each, path, level + 1, found)
    }
  } else if (typeof value === 'object' && value !== null) {
    if (path.length >= SEARCHED.pathDepth) return
    for (const [key, each] of Object.entries(value)) {
      if (isFull(found)) return
      addWords(key, found)
      collect(each, [...path, key], level + 1, found)
    }
  } else {
    const text = String(value)
    addWords(text, found)
    if (path.length > 0 && found.paths.size < SEARCHED.paths) found.paths.add(pathToken(path, text))
  }
}

function isFull({ values, left, paths }: Collected): boolean {
  return values <= 0 || (left <= 0 && paths.size >= SEARCHED.paths)
}

function addWords(text: string, found: Collected): void {
  if (found.left <= 0) return
  const words = wordsOf(text, found.left)
  found.left -= words.length
  if (words.length > 0) found.words.push(words)
}

/** Matches consecutive words, the last one by prefix. */
function hasPhrase(words: readonly string[], phrase: readonly string[]): boolean {
  const last = phrase.length - 1
  for (let start = 0; start + last < words.length; start++) {
    let i = 0
    while (i < last && words[start + i] === phrase[i]) i++
    if (i === last && words[start + last]!.startsWith(phrase[last]!)) return true
  }
  return false
}
