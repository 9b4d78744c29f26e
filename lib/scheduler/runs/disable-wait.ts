import { setTimeout as sleep } from 'node:timers/promises'
import type { DocumentStore } from '../../stores/documents/documents.ts'
import { MINUTE_MS } from '../../time/units.ts'

export type DisableWait = ReturnType<typeof createDisableWait>

interface DisableWaitDependencies {
  readonly documents: Pick<DocumentStore, 'put' | 'list'>
  /** Identifies this process. */
  readonly holder: string
}

interface Announced {
  readonly withinMs: number
}

/** Earlier versions use the same name. */
const COLLECTION = 'letting-in'
/** Without an announcement, a run starts at most this long after its schedule was read. */
const MAX_START_DELAY_MS = 100
/** Extra time for a busy event loop. */
const MARGIN_MS = 50
/** A call to the store takes less time, or fails. */
const MAX_ANNOUNCED_MS = 2_000
const ANNOUNCED_FOR_MS = MINUTE_MS
const ANNOUNCE_AGAIN_MS = 30_000

/**
 * How long after reading its schedule a process may start a run. A disable waits this long before it responds. A process whose store calls
 * take longer announces that in the store and then reads the schedule again. So a disable that the second read did not see finds the
 * announcement.
 */
export function createDisableWait({ documents, holder }: DisableWaitDependencies) {
  let announced: { readonly withinMs: number; readonly at: number } | null = null

  return {
    /** For this process, in milliseconds. */
    get withinMs() {
      return announced !== null && performance.now() - announced.at < ANNOUNCED_FOR_MS ? announced.withinMs : MAX_START_DELAY_MS
    },

    /** Call it with the duration of a read. Resolves at once if that is already announced or within the default. */
    async announce(tookMs: number): Promise<void> {
      if (tookMs <= MAX_START_DELAY_MS) return
      const isNew = tookMs > this.withinMs
      if (!isNew && announced !== null && performance.now() - announced.at < ANNOUNCE_AGAIN_MS) return
      const withinMs = isNew ? Math.min(Math.ceil(tookMs * 1.5 / 100) * 100, MAX_ANNOUNCED_MS) : announced!.withinMs
      const at = performance.now()
      await documents.put<Announced>(COLLECTION, holder, { withinMs }, { ttlMs: ANNOUNCED_FOR_MS + MARGIN_MS })
      announced = { withinMs, at }
    },

    /** Call it right after a schedule was disabled: once it resolves, no process starts a run of it any more. Never rejects. */
    async untilNoRunStarts(): Promise<void> {
      const calledAt = performance.now()
      const all = await documents.list<Announced>(COLLECTION).catch(() => [{ value: { withinMs: MAX_ANNOUNCED_MS } }])
      const longestMs = Math.max(MAX_START_DELAY_MS, ...all.map(({ value }) => value.withinMs)) + MARGIN_MS
      await sleep(Math.max(longestMs - (performance.now() - calledAt), 0))
    }
  }
}
