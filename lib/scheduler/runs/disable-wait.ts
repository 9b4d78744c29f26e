import { setTimeout as sleep } from 'node:timers/promises'
import type { DocumentStore } from '../../stores/documents/documents.ts'
import { MINUTE_MS } from '../../time/units.ts'

export type DisableWait = ReturnType<typeof createDisableWait>

interface DisableWaitDependencies {
  readonly documents: Pick<DocumentStore, 'put' | 'list'>
  /** Names this process. */
  readonly holder: string
}

interface Announced {
  readonly withinMs: number
}

/** A name that versions before this one share. */
const COLLECTION = 'letting-in'
/** Without an announcement, a run starts at most this long after its schedule was read. */
const MAX_START_DELAY_MS = 100
/** What a busy event loop may add. */
const MARGIN_MS = 50
/** A call to the store takes less, or fails. */
const MAX_ANNOUNCED_MS = 2_000
const ANNOUNCED_FOR_MS = MINUTE_MS
const ANNOUNCE_AGAIN_MS = 30_000

/**
 * How long after a schedule was read its run may start, which is how long a disable waits before it answers. A process whose calls to
 * the store take longer than that says so in the store, and reads the schedule again afterwards: a disable that the second reading did
 * not see finds the announcement.
 */
export function createDisableWait({ documents, holder }: DisableWaitDependencies) {
  let announced: { readonly withinMs: number; readonly at: number } | null = null

  return {
    /** For this process, in milliseconds. */
    get withinMs() {
      return announced !== null && performance.now() - announced.at < ANNOUNCED_FOR_MS ? announced.withinMs : MAX_START_DELAY_MS
    },

    /** Call it with how long a reading took. Resolves at once where that is announced already, or need not be. */
    async announce(tookMs: number): Promise<void> {
      if (tookMs <= MAX_START_DELAY_MS) return
      const isNew = tookMs > this.withinMs
      if (!isNew && announced !== null && performance.now() - announced.at < ANNOUNCE_AGAIN_MS) return
      const withinMs = isNew ? Math.min(Math.ceil(tookMs * 1.5 / 100) * 100, MAX_ANNOUNCED_MS) : announced!.withinMs
      const at = performance.now()
      await documents.put<Announced>(COLLECTION, holder, { withinMs }, { ttlMs: ANNOUNCED_FOR_MS + MARGIN_MS })
      announced = { withinMs, at }
    },

    /** Call it right after a schedule was switched off: once it resolves, no process starts a run of it any more. Never rejects. */
    async untilNoRunStarts(): Promise<void> {
      const calledAt = performance.now()
      const all = await documents.list<Announced>(COLLECTION).catch(() => [{ value: { withinMs: MAX_ANNOUNCED_MS } }])
      const longestMs = Math.max(MAX_START_DELAY_MS, ...all.map(({ value }) => value.withinMs)) + MARGIN_MS
      await sleep(Math.max(longestMs - (performance.now() - calledAt), 0))
    }
  }
}
