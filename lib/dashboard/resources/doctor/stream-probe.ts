import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { createTaskDashboardError } from '../../../errors.ts'

const PIECES = 5
const PAUSE_MS = 200
/** Anyone who may see the doctor can open one. */
const MAX_OPEN = 5

/** Headers that keep proxies from buffering or compressing a stream; to compress it they would wait for more data. */
export const STREAM_HEADERS = { 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' } as const

export type StreamProbe = () => Readable

/** A stream of a few events within a second, which shows a client whether a proxy buffers streams. Throws BUSY if too many are open. */
export function createStreamProbe(): StreamProbe {
  let open = 0

  // Counted from the first read, because a stream that is never read is never closed.
  async function* events(): AsyncGenerator<string> {
    open++
    try {
      for (let piece = 1; piece <= PIECES; piece++) {
        if (piece > 1) await setTimeout(PAUSE_MS)
        yield `data: ${piece}\n\n`
      }
    } finally {
      open--
    }
  }

  return () => {
    if (open >= MAX_OPEN) throw createTaskDashboardError('BUSY')
    return Readable.from(events())
  }
}
