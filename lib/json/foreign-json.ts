import { MAX_JSON_DEPTH } from './exact-json.ts'
import { isObject } from './is-object.ts'

/**
 * Parses JSON that another program wrote, which may be any text. Undefined if it is not JSON, or nests so deep that the value could not be
 * written again.
 */
export function parsed(json: string | null | undefined): unknown {
  if (typeof json !== 'string' || json.length > 2 * MAX_JSON_DEPTH && isTooDeep(json)) return undefined
  try {
    return JSON.parse(json) as unknown
  } catch {
    return undefined
  }
}

const [QUOTE, BACKSLASH, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [...'"\\[]{}'].map(each => each.charCodeAt(0))

/** Also true for text with that many opening brackets that is not JSON. */
function isTooDeep(json: string): boolean {
  let depth = 0
  let isInText = false
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (isInText) {
      if (code === BACKSLASH) at++
      else if (code === QUOTE) isInText = false
    } else if (code === QUOTE) isInText = true
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      if (++depth > MAX_JSON_DEPTH) return true
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) depth--
  }
  return false
}

/** The texts of a JSON array. Its other values are written as JSON. */
export function textsFrom(value: unknown): string[] {
  return Array.isArray(value) ? value.map(each => typeof each === 'string' ? each : JSON.stringify(each)) : []
}

/** The value itself if it is text; otherwise null. */
export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** The value itself if it is a number; otherwise null. Text is not a number here. */
export function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

/** The parsed value, or the text itself if it is not JSON. */
export function valueOrText(json: string): unknown {
  const value = parsed(json)
  return value === undefined ? json : value
}

/** The parsed object; null if it is not one. */
export function objectFrom(json: string | null | undefined): Readonly<Record<string, unknown>> | null {
  const value = parsed(json)
  return isObject(value) ? value : null
}
