import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { createTaskDashboardError } from '../../../errors.ts'

const PIECES = 5
const PAUSE_MS = 200
/** Anybody who may see the doctor can ask for one. */
const MAX_OPEN = 5

/** What keeps proxies from holding a stream back, or compressing it: they would wait for more to compress. */
export const STREAM_HEADERS = { 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' } as const

export type StreamProbe = () => Readable

/**
 * A stream of some events within a second, by which one sees from outside whether a proxy holds streams back. Throws BUSY when too many are
 * open.
 */
export function createStreamProbe(): StreamProbe {
  let open = 0

  // Counted from the first read on: what is never read is never closed.
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
