import { fieldMeantBy, isNotSearched, isSearchField } from './search-fields.ts'
import type { SearchFault, SearchTerm } from './search-terms.ts'

const NOTHING_EXCLUDED = 'a search cannot exclude anything: search for the opposite, such as status:success'
const AS_TEXT = 'Quote it to search for it as text'
const OPERATORS: Readonly<Record<string, string>> = {
  AND: 'every term must match anyway: leave AND out',
  OR: 'there is no OR, because every term must match: run two searches',
  NOT: NOTHING_EXCLUDED
}
/** A sign, a name, argument keys, something in place of a colon, a value. */
const LIKE_PER_FIELD = /^([-!]?)([a-z_]+)((?:\.[^\s:=<>!.]+)*)(!=|==?|:(?!\/)|(?=[<>]))(.+)$/is
const OTHER_QUOTES = /^['‘’“”„«]/

/**
 * Detects syntax from other search languages. Taken as text or a name it would silently find nothing.
 * @param accepts whether a term can be parsed
 */
export function slipOf(terms: readonly SearchTerm[], index: number, accepts: (term: string) => boolean): SearchFault | null {
  const term = terms[index]!
  if (term.isQuoted) return null
  const message = term.field === null ? slipOfText(terms, index, accepts) : null
  if (message !== null) return { position: term.start, message }
  const valueSlip = term.field === null ? null : slipOfValue(term)
  return valueSlip === null ? null : { position: term.valueStart, message: valueSlip }
}

function slipOfText(terms: readonly SearchTerm[], index: number, accepts: (term: string) => boolean): string | null {
  const { value } = terms[index]!
  const [before, after] = [terms[index - 1], terms[index + 1]]
  // Pasted text may contain these words.
  if (Object.hasOwn(OPERATORS, value) && [before, after].some(each => each !== undefined && each.field !== null))
    return `${OPERATORS[value]}. ${AS_TEXT}`
  if ((before?.field === 'since' || before?.field === 'until') && /^\d{4}-\d\d-\d\d$/.test(before.value) && /^\d{1,2}:\d\d/.test(value)) {
    return `write date and time together, with Z or an offset: ${before.field}:${before.value}T${value.padStart(5, '0')}Z`
  }
  const [, sign, name, keys, operator, rest] = LIKE_PER_FIELD.exec(value) ?? []
  if (name === undefined) return null
  const isField = isSearchField(name.toLowerCase()) && (keys === '' || name.toLowerCase() === 'args')
  if (operator === ':') {
    if (sign !== '') return isField ? `${NOTHING_EXCLUDED}. ${AS_TEXT}` : null
    const meant = keys === '' ? fieldMeantBy(name) : null
    if (meant !== null) return `there is no field ${JSON.stringify(name)}; did you mean ${meant}:? ${AS_TEXT}`
    return isNotSearched(name) ? `there is no field ${JSON.stringify(name)}: executions cannot be searched by it. ${AS_TEXT}` : null
  }
  const written = `${name}${keys}:${rest}`
  if (!isField || !accepts(written)) return null
  return operator === '!=' || sign !== '' ? `${NOTHING_EXCLUDED}. ${AS_TEXT}` : `write ${written}, with a colon. ${AS_TEXT}`
}

function slipOfValue({ field, path, value }: SearchTerm): string | null {
  if (OTHER_QUOTES.test(value)) return `quotes are written ": ${field}${path.map(key => `.${key}`).join('')}:"…"`
  const isName = field === 'task' || field === 'schedule' || field === 'worker' || field === 'group' || field === 'id'
  return isName && value.includes('*')
    ? `${field}: takes a whole name, without *; words without a field match by prefix. Quote it if the * is part of the name`
    : null
}
