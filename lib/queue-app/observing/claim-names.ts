import { createTaskDashboardError } from '../../errors.ts'
import type { Store } from '../../stores/store.ts'
import { DAY_MS, MINUTE_MS } from '../../time/units.ts'
import type { ResolvedSource } from './resolve-observe-options.ts'
import { digestOfJson } from '../../json/digest.ts'

/** The task names that a dashboard uses in a history, and the queues they stand for. */
interface Claim {
  /** The label before the names; '' if there is none. */
  readonly label: string
  /** `*`: every queue under the prefix. */
  readonly queue: string
  /** A hash of server and prefix. Reveals no credentials. */
  readonly place: string
  readonly shown: string
}

interface Claims {
  readonly claims: readonly Claim[]
  readonly startedAt: number
  /** By the store's clock; 0 after a stop. */
  readonly seenAt: number
}

const CLAIMS = 'observed-names'
const RENEW_EVERY_MS = MINUTE_MS / 2
/** How long a process that was killed still counts as running. */
const ALIVE_MS = 2 * MINUTE_MS
const KEPT_MS = 30 * DAY_MS

/**
 * Dashboards of different servers may use the same namespace of a result backend. If their queues have the same names, each would take the
 * other's executions for its own. So the second dashboard is refused.
 */
export function createNameClaim(
  store: Pick<Store, 'documents' | 'now' | 'label'>, sources: readonly ResolvedSource[], onError: (error: Error) => void
): { start(): Promise<void>; stop(): Promise<void> } {
  const claims = sources.flatMap(({ source, prefix, queues, label }) => (queues === 'all' ? ['*'] : queues).map((queue): Claim => ({
    label: label ?? '', queue, place: digestOfJson([source.identity, prefix]), shown: `${source.label} (prefix ${JSON.stringify(prefix)})`
  })))
  const id = digestOfJson(claims.map(({ label, queue, place }) => [label, queue, place]))
  let startedAt = 0
  let timer: NodeJS.Timeout | undefined

  const write = async (seenAt: number): Promise<void> => {
    await store.documents.put<Claims>(CLAIMS, id, { claims, startedAt, seenAt }, { ttlMs: KEPT_MS })
  }

  return {
    async start() {
      const now = await store.now()
      startedAt = now
      await write(now)
      const others = (await store.documents.list<Claims>(CLAIMS)).filter(each => each.id !== id)
      for (const other of others) {
        const clash = other.value.claims.find(theirs => claims.some(ours => isClash(ours, theirs)))
        if (clash === undefined) continue
        const isFirst = other.value.startedAt < startedAt || other.value.startedAt === startedAt && other.id < id
        if (other.value.seenAt < now - ALIVE_MS) {
          onError(new Error(`The history at ${store.label} also has executions of queues at ${clash.shown} with the same names. Set ` +
            '`namespace` to keep them apart'))
        } else if (isFirst) {
          await write(0)
          throw createTaskDashboardError('STORE_UNSUITABLE', ['result backend', store.label, 'another dashboard keeps the history of ' +
            `queues at ${clash.shown} there, and some have the same names: give each dashboard its own \`namespace\``])
        }
      }
      timer = setInterval(() => { void store.now().then(write).catch(() => {}) }, RENEW_EVERY_MS).unref()
    },
    async stop() {
      clearInterval(timer)
      // Another process with the same queues soon renews the claim.
      if (timer !== undefined) await write(0).catch(() => {})
      timer = undefined
    }
  }
}

function isClash(one: Claim, other: Claim): boolean {
  return one.label === other.label && one.place !== other.place &&
    (one.queue === other.queue || one.queue === '*' || other.queue === '*')
}
