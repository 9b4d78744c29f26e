import { normalizeChunk } from './normalize-chunk.ts'
import { closingQuote, nameOfQuoted } from './quoted-text.ts'

/** What tells errors apart is at the start of their messages. */
const READ_LENGTH = 1_000

/** Up to here a bracket may hold an IPv6 address. */
const ADDRESS_MAX_LENGTH = 64
const CHUNK = /[^\s"'`“”„‟‘’‚«»‹›「」『』()[\]{}<>,;，、。；（）]+/y

/** A message without what changes from one occurrence to the next. Read from left to right, in linear time. */
export function normalizeMessage(message: string): string {
  const text = message.slice(0, READ_LENGTH).trim()
  const parts: string[] = []
  const unclosed = new Map<string, number>()
  for (let at = 0; at < text.length;) {
    const character = text[at]!
    if (/\s/.test(character)) {
      parts.push(' ')
      while (at < text.length && /\s/.test(text[at]!)) at++
      continue
    }
    const quoteEnd = closingQuote(text, at, unclosed)
    if (quoteEnd !== -1) {
      parts.push(nameOfQuoted(text, at, quoteEnd, parts, normalizeMessage))
      at = quoteEnd + 1
      continue
    }
    const addressEnd = character === '[' ? endOfAddress(text, at) : -1
    if (addressEnd !== -1) {
      parts.push('<address>')
      at = addressEnd
      continue
    }
    CHUNK.lastIndex = at
    const chunk = CHUNK.exec(text)?.[0]
    parts.push(chunk === undefined ? character : normalizeChunk(chunk, parts))
    at += chunk?.length ?? 1
  }
  return joined(parts)
}

/** Behind `[::1]:8080`; -1 when there is none. */
function endOfAddress(text: string, at: number): number {
  const [address] = /^\[[0-9a-f.%]*:[0-9a-f.:%]*\](?::\d{1,5})?/i.exec(text.slice(at, at + ADDRESS_MAX_LENGTH)) ?? ['']
  return address === '' || address.split(':').length < 3 ? -1 : at + address.length
}

const UNIT = /^(?:[nµμu]?s|ms|secs?|seconds?|mins?|minutes?|hours?|hrs?|h|days?|d|[kmgt]?i?b|bytes?|%|percent|sekunden?|minuten?|stunden?|tagen?|secondes?|heures?|jours?|секунд\p{L}*|мин\p{L}*)$/iu
const MONTH = /^(?:jan|feb|mar|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez|mär|fév|fev|avr|juin|juil|aoû|déc|янв|фев|мар|апр|ма[йя]|июн|июл|авг|сен|окт|ноя|дек)\p{L}{0,9}\.?$/iu
const DAY = /^(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so|lun|mar|mer|jeu|ven|sam|dim|пн|вт|ср|чт|пт|сб|вс)(?:[a-z]{0,4}day|tag|di)?[.,]?$/iu
const ZONE = /^(?:GMT|UTC|CES?T|[ECMP][SD]T|[AP]M|Z)(?:[+-]<\w+>)?[,.]?$/i
const VARYING = /^<(?:number|date|id|value|url|email|path|address)>$/

/** Dates, amounts with their units, and lists are written in several parts. */
function joined(parts: readonly string[]): string {
  const result: string[] = []
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]!
    const isAfterSpace = result.at(-1) === ' '
    const before = isAfterSpace ? result.at(-2) : result.at(-1) === ',' ? undefined : result.at(-1)
    const isAfterAmount = before === '<number>' || before === '<number>.' || before === '<date>'
    if (isAfterAmount && isAfterSpace) {
      if (part === '<date>' || MONTH.test(part) || (before === '<date>' && (part === '<number>' || ZONE.test(part)))) {
        result.splice(-2, 2, '<date>')
        continue
      }
      if (part === '<number>' || (before !== '<date>' && UNIT.test(part))) {
        result.pop()
        continue
      }
    }
    if ((MONTH.test(part) || DAY.test(part)) && parts.slice(i + 1, i + 4).some(next => next === '<number>' || next === '<date>' || MONTH.test(next))) {
      if (isAfterSpace && before === '<date>') result.pop()
      else result.push('<date>')
      while (parts[i + 1] === ',') i++
      continue
    }
    if (isSameAsListed(result, part)) {
      result.length = result.lastIndexOf(part) + 1
      continue
    }
    result.push(part)
  }
  return result.join('').trim()
}

/** `4, 5, 6` is told as `4` is: how many there are varies too. */
function isSameAsListed(result: readonly string[], part: string): boolean {
  if (!VARYING.test(part)) return false
  let end = result.length
  if (result[end - 1] === ' ') end--
  return (result[end - 1] === ',' || result[end - 1] === '、') && result[end - 2] === part
}
