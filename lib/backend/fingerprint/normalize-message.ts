import { endOfDate } from './end-of-date.ts'
import { normalizeToken } from './normalize-token.ts'
import { closingQuote, nameOfQuoted } from './quoted-text.ts'

/** What distinguishes errors is at the start of their messages. */
const MAX_READ_LENGTH = 1_000

/** Maximum length of a bracketed IPv6 address. */
const MAX_ADDRESS_LENGTH = 64
const TOKEN = /[^\s"'`“”„‟‘’‚«»‹›「」『』()[\]{}<>,;，、。；（）]+/y

const PHONE =
  /(?:\+\d{1,3}[ .-]?)?\(\d{1,5}\)[ .-]?\d{1,6}(?:[ .-]\d{1,6}){0,4}(?![\p{L}\d])|\+\d{1,3}(?:[ .-]?\d{1,7}){1,6}(?![\p{L}\d:])/uy
const EXTENSION = /\.[a-z]\w{0,4}$/i
const REST_OF_NAME = / [^\s"'`/\\,;:()[\]{}<>]{1,60}\.[a-z]\w{1,4}(?![\w.@/\\])/iuy

/** A message without the parts that vary between occurrences. Reads left to right in linear time. */
export function normalizeMessage(message: string): string {
  const text = message.slice(0, MAX_READ_LENGTH).trim()
  const parts: string[] = []
  const unclosed = new Map<string, number>()
  for (let at = 0; at < text.length;) {
    const character = text[at]!
    if (/\s/.test(character)) {
      parts.push(' ')
      while (at < text.length && /\s/.test(text[at]!)) at++
      continue
    }
    const variableEnd = endOfDate(text, at)
    if (variableEnd !== null) {
      parts.push('<date>')
      at = variableEnd
      continue
    }
    PHONE.lastIndex = at
    const phone = PHONE.exec(text)?.[0]
    if (phone !== undefined) {
      parts.push('<number>')
      at += phone.length
      continue
    }
    const quoteEnd = closingQuote(text, at, unclosed)
    if (quoteEnd !== null) {
      parts.push(nameOfQuoted(text, at, quoteEnd, parts, normalizeMessage))
      at = quoteEnd + 1
      continue
    }
    const addressEnd = character === '[' ? endOfAddress(text, at) : null
    if (addressEnd !== null) {
      parts.push('<address>')
      at = addressEnd
      continue
    }
    TOKEN.lastIndex = at
    const token = TOKEN.exec(text)?.[0]
    parts.push(token === undefined ? character : normalizeToken(token, parts))
    at += token?.length ?? 1
    // A file name may contain a space: extend the path to the part that ends in an extension.
    if (parts.at(-1) !== '<path>' || EXTENSION.test(token!)) continue
    REST_OF_NAME.lastIndex = at
    at += REST_OF_NAME.exec(text)?.[0].length ?? 0
  }
  return joined(parts)
}

/** The end of `[::1]:8080`; null if there is none. */
function endOfAddress(text: string, at: number): number | null {
  const [address] = /^\[[0-9a-f.%]*:[0-9a-f.:%]*\](?::\d{1,5})?/i.exec(text.slice(at, at + MAX_ADDRESS_LENGTH)) ?? []
  return address === undefined || address.split(':').length < 3 ? null : at + address.length
}

/** Units of time and size, and currencies. */
const UNIT =
  /^(?:[nµμu]?s|ms|secs?|seconds?|mins?|minutes?|hours?|hrs?|h|m|days?|d|weeks?|[kmgt]?i?b|bytes?|%|percent|sekunden?|minuten?|stunden?|tagen?|secondes?|heures?|jours?|segundos?|minutos?|horas?|días?|секунд\p{L}*|мин\p{L}*|秒|分|時間|[$€£¥₽₹₩]|euros?|dollars?)$/iu
const CURRENCY = /^(?:EUR|USD|GBP|JPY|CHF|CAD|AUD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|RON|BRL|MXN|INR|CNY|KRW|RUB|TRY|ZAR|SGD|HKD|[$€£¥₽₹₩])$/
const VARYING = /^<(?:number|date|id|value|url|email|path|address)[^>]{0,100}>$/
const ALSO = /^(?:and|or|und|oder|et|ou|y|o|e|и|と)$/

/** Joins parts that belong together: dates, amounts with units, and lists. */
function joined(parts: readonly string[]): string {
  const result: string[] = []
  for (const [i, part] of parts.entries()) {
    const isAfterSpace = result.at(-1) === ' '
    const before = isAfterSpace ? result.at(-2) : result.at(-1)
    const isAfterAmount = before === '<number>' || before === '<number>.' || before === '<date>'
    if (isAfterAmount && isAfterSpace) {
      if (part === '<date>') {
        result.splice(-2, 2, '<date>')
        continue
      }
      const unit = part.replace(/[.:!?]$/, '')
      const tail = part.slice(unit.length)
      if (before !== '<date>' && (part === '<number>' || UNIT.test(unit) || CURRENCY.test(unit))) {
        result.pop()
        if (tail !== '' && part !== '<number>') result.push(tail)
        continue
      }
    }
    if (CURRENCY.test(part) && parts[i + 1] === ' ' && parts[i + 2]?.startsWith('<number>')) continue
    if (part === ' ' && CURRENCY.test(parts[i - 1] ?? '') && result.at(-1) === ' ') continue
    if (isSameAsListed(result, part)) {
      result.length = result.lastIndexOf(part) + 1
      continue
    }
    result.push(part)
  }
  return result.join('').trim()
}

/** `4, 5, 6` and `4 and 5` become the same as `4`, because the number of items varies too. */
function isSameAsListed(result: readonly string[], part: string): boolean {
  if (!VARYING.test(part)) return false
  let end = result.length
  if (result[end - 1] === ' ') end--
  if (ALSO.test(result[end - 1] ?? '') && result[end - 2] === ' ') return result[end - 3] === part
  const isListed = result[end - 1] === ',' || result[end - 1] === '、'
  return isListed && result[end - 2] === part
}
