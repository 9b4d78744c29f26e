import { isStatusCode } from './is-status-code.ts'
import { normalizeWords } from './normalize-words.ts'
import { TELLING_KEYS } from './quoted-text.ts'

const URL_LIKE = /^[a-z][a-z0-9+.-]+:\/{1,3}(?=[^/]|$)/i
const EMAIL = /^[^@/\\]+@[^@/\\]+\.\p{L}{2,}$/u
const JSON_WEB_TOKEN = /^eyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?$/
const UUID = /(?:urn:uuid:)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/i
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5}|\/\d{1,2})?$/
const IPV6 = /^[0-9a-f:.]{2,45}(?:%\w+|\/\d{1,3})?$/i
const HARDWARE = /^[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}$/i
const DATE = /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2}))(?:T[\d:.,]+)?(?:Z|[+-]\d\d:?\d\d)?$/i
const TIME = /^\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?|[ap]m)?$/i
const CURRENCY = /^(?:[$€£¥₽₹]|EUR|USD)?(?=[\d.+-])|(?<=\d)(?:[$€£¥₽₹]|EUR|USD)$/g
/** Includes ranges, ratios and sizes: `3-7`, `1/10`, `800x600`. */
const NUMBER =
  /^[+-]?\d+(?:[.,_:x×/–-]\d+)*(?:e[+-]?\d+)?(?:%|‰|°C?|[nµμu]s|ms|s|secs?|m|mins?|h|hrs?|d|[kmgt]?i?b(?:\/s|ps)?|[kmg]?hz|px|st|nd|rd|th|x)?$/i
const SPAN = /^(?:\d+(?:\.\d+)?(?:[nµμu]s|ms|[smhdwy])){1,8}$/i
const PATH_START = /^(?:[a-z]:)?(?:[\\/]|\.{1,2}[\\/]|~[\\/])/i
/** Scheme and host of `scheme://user@host:port/path`. */
const AUTHORITY = /^([a-z][a-z0-9+.-]{1,20}):\/\/(?:[^/@?#]{0,200}@)?([\w.-]{1,253})/i

const LITERAL = /^(?:null|true|false|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/i

/**
 * Normalizes the text between spaces, quotes and brackets.
 * @param before the normalized text before it
 */
export function normalizeToken(token: string, before: readonly string[]): string {
  let end = token.length
  while (end > 1 && '.:!?…'.includes(token[end - 1]!) && !(token === '::')) end--
  const [core, tail] = [token.slice(0, end), token.slice(end)]
  return wholeOf(core, before) + tail
}

function wholeOf(core: string, before: readonly string[]): string {
  if (URL_LIKE.test(core)) return nameOfUrl(core)
  if (/[=&]/.test(core) && !isMixed(core))
    return core.split(/([=&])/).map((part, i, all) =>
      i % 2 === 1 ? part : part && atomOf(part, i === 0 ? before : [...before, all[i - 2]!])).join('')
  // As in `{"a":5`.
  const [mark = ''] = /^:(?=[\p{L}\d+-])/u.exec(core) ?? []
  const atom = core.slice(mark.length)
  return mark + (LITERAL.test(atom) && isValueInJson(mark === '' ? before : [...before, mark]) ? '<value>' : atomOf(atom, before))
}

/** True for `"amount": 5` but not for `"code": 5`. Only names that were kept in JSON are still in quotes. */
function isValueInJson(before: readonly string[]): boolean {
  const colon = before.at(-1) === ' ' ? -2 : -1
  const [, key] = /^"(.*)"$/.exec(before.at(colon - 1) ?? '') ?? []
  return before.at(colon) === ':' && key !== undefined && !TELLING_KEYS.test(key)
}

function atomOf(atom: string, before: readonly string[]): string {
  if (isStatusCode(atom, before)) return atom
  if (URL_LIKE.test(atom)) return nameOfUrl(atom)
  if (atom.includes('@') && EMAIL.test(atom)) return '<email>'
  if (JSON_WEB_TOKEN.test(atom)) return '<id>'
  if (DATE.test(atom) || TIME.test(atom)) return '<date>'
  if (IPV4.test(atom) || HARDWARE.test(atom) || (IPV6.test(atom) && (isIpv6(atom) || isIpv6(atom.replace(/:\d{1,5}$/, '')))))
    return '<address>'
  const amount = atom.replace(CURRENCY, '')
  if (amount !== '' && (NUMBER.test(amount) || SPAN.test(amount))) return '<number>'
  if (isMixed(atom)) return '<id>'
  if (isPath(atom)) return '<path>'
  return atom.split(UUID).map((part, i) => normalizeWords(part, i === 0 ? before : [])).join('<id>')
}

/** The host is part of the cause; the rest of the URL is not. */
function nameOfUrl(url: string): string {
  const [, , host = ''] = AUTHORITY.exec(url) ?? []
  return host === '' || IPV4.test(host) ? '<url>' : `<url ${normalizeWords(host, []).replace(/[<>]/g, '')}>`
}

function isIpv6(text: string): boolean {
  const groups = text.split(':')
  return groups.length >= 3 && groups.length <= 9 && (text.includes('::') || groups.length === 8) &&
    groups.every(group => group.length <= 4 || group.includes('.') || /[%/]/.test(group))
}

function isPath(text: string): boolean {
  const separators = text.split(/[\\/]/).length - 1
  return separators >= 2 && (PATH_START.test(text) || /[\w.]/.test(text))
}

/** Hashes and keys in base64 or base62 change between digits, upper case and lower case at about every other character. */
const MIXED_MIN_LENGTH = 14
const CHANGES_MIN = 0.4

function isMixed(text: string): boolean {
  if (text.length < MIXED_MIN_LENGTH || /^[a-z]{2,10}_/.test(text) || !/^[\w+/-]+={0,2}$/.test(text)) return false
  const [hasDigit, hasUpper, hasLower] = [/\d/.test(text), /[A-Z]/.test(text), /[a-z]/.test(text)]
  if (!(hasUpper && hasLower) || !(hasDigit || text.length > 20 || text.endsWith('='))) return false
  let changes = 0
  for (let i = 1; i < text.length; i++) if (kindOf(text.charCodeAt(i)) !== kindOf(text.charCodeAt(i - 1))) changes++
  return changes / (text.length - 1) >= CHANGES_MIN
}

function kindOf(code: number): number {
  if (code >= 48 && code <= 57) return 0
  if (code >= 65 && code <= 90) return 1
  return code >= 97 && code <= 122 ? 2 : 3
}
