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

/** A message without what changes from one occurrence to the next. */
export function normalizeMessage(message: string): string {
  return message.slice(0, MESSAGE_READ_LENGTH)
    .replace(/"[^"\n]*"|'[^'\n]*'|`[^`\n]*`|“[^”\n]*”|«[^»\n]*»/g, '<value>')
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/[^\s,;)\]}>]+/gi, '<url>')
    .replace(/[^\s@<>()]+@[^\s@<>()]+\.[a-z]{2,}/gi, '<email>')
    .replace(/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, '<id>')
    .replace(/(?:[a-z]:)?(?:[\\/][\w.@~+-]+){2,}[\\/]?/gi, '<path>')
    .replace(/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b|\[[0-9a-f:]*:[0-9a-f:]+\](?::\d+)?/gi, '<address>')
    .replace(/\b(?:0x[0-9a-f]+|(?=[a-f]*\d)[0-9a-f]{8,})\b/gi, '<id>')
    .replace(/\d+(?:[.,:]\d+)*/g, '<number>')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Function and file of the innermost frame that is neither Node's nor a dependency's; null when there is none. */
export function topOwnFrame(stack: string | null): string | null {
  for (const line of stack?.slice(0, STACK_READ_LENGTH).split('\n') ?? []) {
    const frame = /^\s*at (?:(.*?) \()?(.*?)(?::\d+)?(?::\d+)?\)?$/.exec(line)
    if (!frame) continue
    const [, name = '', location = ''] = frame
    if (location === '' || /^(?:node:|native$|<anonymous>$|internal\/)|[\\/]node_modules[\\/]/.test(location)) continue
    return `${name.replace(/^async /, '')}@${fileOf(location)}`
  }
  return null
}

/** The last two segments: the folder a release is deployed in changes, the file in it does not. */
function fileOf(location: string): string {
  return location.replace(/[?#].*$/, '').split(/[\\/]/).slice(-2).join('/')
}
