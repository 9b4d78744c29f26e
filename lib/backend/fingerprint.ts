import { createHash } from 'node:crypto'
import type { ExecutionFailure } from '../execution.ts'

/** Messages and stacks are long at times; what tells errors apart is at their start. */
const MESSAGE_READ_LENGTH = 1_000
const STACK_READ_LENGTH = 8_000

/**
 * The group of an error: equal for errors that differ only in ids, numbers, addresses, paths and quoted values. Made of the
 * type, the message without those, and the innermost frame of the application's own code, without line numbers.
 * @returns 12 hexadecimal digits
 */
export function errorGroupOf(error: ExecutionFailure): string {
  const parts = [error.type, normalizeMessage(error.message), topOwnFrame(error.stack) ?? '']
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12)
}

/** In this order: what is quoted may hold anything, addresses and ids hold numbers. */
const VARYING: ReadonlyArray<readonly [pattern: RegExp, name: string]> = [
  // An apostrophe in a word is no quote.
  [/"[^"\n]*"|(?<!\w)'(?:[^'\n]|(?<=\w)'(?=\w))*'(?!\w)|`[^`\n]*`|“[^”\n]*”|‘[^’\n]*’(?!\w)|«[^»\n]*»/g, '<value>'],
  [/\b[a-z][a-z0-9+.-]*:\/\/[^\s,;)\]}>]+/gi, '<url>'],
  [/[^\s@<>()]+@[^\s@<>()]+\.[a-z]{2,}/gi, '<email>'],
  [/(?<=\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH) )[\w:[][^\s,;)]*/g, '<address>'],
  // JSON Web Tokens.
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '<id>'],
  [/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, '<id>'],
  [/(?:[a-z]:)?(?:[\\/][\w.@~+-]+){2,}[\\/]?/gi, '<path>'],
  // IPv4, IPv6 with and without brackets, and of hardware.
  [/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b|\[[0-9a-f:]*:[0-9a-f:]+\](?::\d+)?/gi, '<address>'],
  [/(?<![\w:])(?:(?:[0-9a-f]{1,4}:){1,7}|:):(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?(?![\w:])|(?<![\w:])(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}(?![\w:])/gi, '<address>'],
  [/\b(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}\b/gi, '<address>'],
  [/\b(?:0x[0-9a-f]+|(?=[a-f]*\d)[0-9a-f]{8,}|(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{6,7})\b/gi, '<id>'],
  // Others are known by numbers among their letters: ULIDs, those of Stripe or Slack, random ones of both cases.
  [/(?<![a-z0-9])(?=[a-z]*\d+[a-z]+\d)[a-z0-9]{10,}(?![a-z0-9])/gi, '<id>'],
  [/(?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*[A-Z])(?=[A-Za-z_-]*\d[\d_-]*[A-Za-z][A-Za-z_-]*\d)[\w-]{16,}(?![\w-])/g, '<id>'],
  // Short ones change between the two more often than a word with a number in it does: `utf8mb4`, `neo4j`, `21T10` and `5e10` are none.
  [/(?<![a-z0-9])(?!\d+[et]\d+(?![a-z0-9]))(?=[a-z0-9]{4,}(?![a-z0-9]))(?:\d+[a-z]+\d|[a-z]{1,2}\d+[a-z]{1,2}\d|[a-z]+\d+[a-z]+\d+[a-z])[a-z0-9]*/gi, '<id>'],
  // What names of pods end in, which has no vowels.
  [/(?<=<id>)(?:-(?:<id>|[bcdfghjklmnpqrstvwxz2456789]{5}|(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{3,})(?![a-z0-9]))+/gi, ''],
  // As `Date` writes itself.
  [/\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? (?:\d{1,2} )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?: \d{1,2})?(?= \d)/g, '<number>'],
  [/(?:(?<!\S)-)?\d+(?:[.,:]\d+)*(?:e[-+]?\d+\b)?/gi, '<number>'],
  [/\s+/g, ' ']
]

/** A message without what changes from one occurrence to the next. */
export function normalizeMessage(message: string): string {
  return VARYING.reduce((text, [pattern, name]) => text.replace(pattern, name), message.slice(0, MESSAGE_READ_LENGTH)).trim()
}

/** Node's, V8's, a dependency's, or none: `Promise.all (index 0)`, and text of the message that looks like a frame. */
const FOREIGN = /^(?:node:|native$|<anonymous>|internal\/|wasm:|eval at )|[\\/]node_modules[\\/]|^[^\\/.]*$/
/** Two letters are what a minifier made of it: others in the next build. */
const NAME_MIN_LENGTH = 3

/** Function and file of the innermost frame that is neither Node's nor a dependency's; null when there is none. */
export function topOwnFrame(stack: string | null): string | null {
  for (const line of stack?.slice(0, STACK_READ_LENGTH).split('\n') ?? []) {
    const frame = /^\s*at (?:(.*?) \()?(.*?)(?::\d+)?(?::\d+)?\)?$/.exec(line)
    if (!frame) continue
    const [, fullName = '', location = ''] = frame
    if (FOREIGN.test(location)) continue
    const name = fullName.replace(/^async /, '')
    return `${name.length < NAME_MIN_LENGTH ? '' : name}@${fileOf(location)}`
  }
  return null
}

/** What bundlers put into the name of a file to tell builds apart. */
const HASH = /[.-](?:(?=[a-f]*\d)[0-9a-f]{8,64}|[A-Z0-9]{8}|(?=\w*[a-z])(?=\w*[A-Z])(?=\w*\d|\w+[A-Z]\w*[A-Z])\w{8})(?=\.[cm]?[jt]sx?$)/

/** The last two segments: the folder a release is deployed in changes, the file in it does not. */
function fileOf(location: string): string {
  return location.replace(/[?#].*$/, '').split(/[\\/]/).slice(-2).join('/').replace(HASH, '')
}
