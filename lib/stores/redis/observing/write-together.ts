import type { Writable } from 'node:stream'

/**
 * Commands that are sent in one turn leave in one write. A page of 500 queues takes thousands, and to write each by itself costs this
 * process and the server a third of their time.
 * @param stream undefined: there is no connection yet
 */
export function writeTogether(stream: Writable | undefined): void {
  if (stream === undefined || stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => { stream.uncork() })
}
