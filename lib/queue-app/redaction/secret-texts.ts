import { toStorableText } from '../../engine/jobs/storable.ts'
import { REDACTED } from '../../../schemas/limits.ts'
import { overlapAtEnd, replaceText } from './replace-text.ts'

/** Texts to remove wherever they occur, longest first, because one may be part of another. Null: unknown, or too many to search for. */
export type Secrets = readonly string[] | null

/** Shorter texts occur in ordinary words. */
const SECRET_MIN_LENGTH = 6
/** Searching for more would take too much of the process's time. */
const MAX_SECRETS = 1_000
/** The smallest of the limits at which messages, stacks and log lines have already been cut. */
const CUT_FROM_LENGTH = 10_000

/** Adds the texts of a value as they occur in messages, in JSON, and line by line in stacks and logs. Numbers count as texts. */
export function collectTexts(value: unknown, texts: Set<string>): void {
  if (typeof value === 'object' && value !== null) {
    for (const each of Object.values(value)) collectTexts(each, texts)
    return
  }
  if (typeof value !== 'string' && typeof value !== 'number') return
  const text = String(value)
  for (const each of [text, toStorableText(text, text.length), JSON.stringify(text).slice(1, -1)]) add(each, texts)
  for (let start = 0; start < text.length && texts.size <= MAX_SECRETS;) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    add(text.slice(start, text[end - 1] === '\r' ? end - 1 : end), texts)
    start = end + 1
  }
}

function add(text: string, texts: Set<string>): void {
  if (text.length >= SECRET_MIN_LENGTH) texts.add(text)
}

export function toSecrets(texts: ReadonlySet<string>): Secrets {
  return texts.size > MAX_SECRETS ? null : [...texts].sort((a, b) => b.length - a.length)
}

export function textWithoutSecrets(text: string, secrets: Secrets): string {
  if (secrets === null) return text === '' ? text : REDACTED
  let rest = text.length < CUT_FROM_LENGTH ? text : withoutCutSecret(text, secrets)
  for (const secret of secrets) rest = replaceText(rest, secret, REDACTED)
  return rest
}

/** A copy without these secrets in its texts, keys and numbers. */
export function valueWithoutSecrets(value: unknown, secrets: Secrets): unknown {
  if (secrets === null) return value === null ? value : REDACTED
  return secrets.length === 0 ? value : copyWithout(value, secrets)
}

function copyWithout(value: unknown, secrets: Secrets): unknown {
  if (typeof value === 'string') return textWithoutSecrets(value, secrets)
  if (typeof value === 'number') return textWithoutSecrets(String(value), secrets) === String(value) ? value : REDACTED
  if (Array.isArray(value)) return value.map(each => copyWithout(each, secrets))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [textWithoutSecrets(key, secrets), copyWithout(each, secrets)]))
}

/** The end of a text that was cut may be the start of a secret. */
function withoutCutSecret(text: string, secrets: readonly string[]): string {
  // A log line that was cut ends in a mark.
  const [kept, mark] = text.endsWith('…') ? [text.slice(0, -1), '…'] : [text, '']
  for (const secret of secrets) {
    const length = overlapAtEnd(kept, secret)
    if (length >= SECRET_MIN_LENGTH) return kept.slice(0, -length) + REDACTED + mark
  }
  return text
}
