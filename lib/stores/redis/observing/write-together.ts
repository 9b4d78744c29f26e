import type { Writable } from 'node:stream'

/**
 * Writes all commands that are sent in one turn of the event loop to the socket at once. A page of 500 queues takes thousands of commands,
 * and separate writes cost this process and the server a third of their time.
 * @param stream undefined if there is no connection yet
 */
export function writeTogether(stream: Writable | undefined): void {
  if (stream === undefined || stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => { stream.uncork() })
}
