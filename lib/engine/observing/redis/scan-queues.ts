import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { createTaskDashboardError } from '../../../errors.ts'
import { isMissingRight, isRefusal, type ReadClient } from '../../../stores/redis/observing/read-client.ts'
import { SECOND_MS } from '../../../time/units.ts'
import type { FoundQueues, ScanOptions } from '../observed-server.ts'

/** How many keys one step scans: about a millisecond of the server's time. KEYS would scan all of them at once. */
const KEYS_AT_A_TIME = 1_000
/** How many known queues that the scan did not find are checked at once, each with a command of its own. */
const UNSEEN_AT_A_TIME = 100
/** A scan that was held up makes up for at most this time, so that the server does not get too many steps in a row. */
const CATCH_UP_MS = 250
/** How many queues are found on one server under all wanted prefixes, and as many under all other prefixes. Further keys are ignored. */
export const MAX_QUEUES_FOUND = 20_000

interface RedisScanOptions extends Pick<ScanOptions, 'prefixes' | 'signal' | 'keysPerSecond' | 'onStep'> {
  /** Keys that were found to be queues, and whether they can still be read. The scan keeps them up to date. */
  readonly known: Map<string, boolean>
  /** The known keys that cannot be read and that the last scan did not find. The scan keeps them up to date. */
  readonly missed: Set<string>
}

/**
 * Finds the BullMQ queues of a server in small steps, under any prefix. Every queue that ever had a job has a hash `meta` with the maximum
 * length of its event stream. Without that field, the key belongs to another tool, or to a scheduler whose id is `meta`.
 */
export async function scanQueues(
  client: ReadClient, { prefixes, known, missed, signal, keysPerSecond, onStep }: RedisScanOptions
): Promise<FoundQueues> {
  const [wanted, others] = [new Set<string>(), new Set<string>()]
  const keysLike = (key: string): Set<string> => prefixes.includes(placeOf(key)?.prefix ?? '') ? wanted : others
  const looked = { keys: 0, isFull: false }
  let isOver = false
  // In a cluster, each node only knows its own keys.
  await Promise.all(client.nodes().map(scanNode)).finally(() => { isOver = true })
  const isAll = !signal.aborted && !looked.isFull
  if (isAll) await askForUnseen()
  else if (!signal.aborted) forgetUnseen()
  return { byPrefix: found(true), refused: found(false), isAll, ...looked.isFull && { isFull: true } }

  function found(isReadable: boolean): Map<string, Set<string>> {
    return byPrefix([...wanted, ...others], known, isReadable)
  }

  async function scanNode(node: ReadClient['read']): Promise<void> {
    const pause = keysPerSecond === undefined ? nextTurn : createPause(KEYS_AT_A_TIME / keysPerSecond * SECOND_MS, signal)
    for (let cursor = '0', isFirst = true; (isFirst || cursor !== '0') && !signal.aborted; isFirst = false) {
      // Lets other work of this process, and other clients of the server, run in between.
      if (!isFirst) await pause()
      const [next, scanned] = await scanStep(node, client.label, cursor)
      cursor = next
      // Known keys are checked as well, because rights can be revoked.
      const isNew = await ask(scanned.filter(hasRoom))
      // Another node has failed.
      if (isOver) return
      looked.keys += KEYS_AT_A_TIME
      onStep(looked.keys, () => ({ byPrefix: found(true), isAll: false }), isNew)
    }
  }

  function hasRoom(key: string): boolean {
    const keys = keysLike(key)
    if (keys.size < MAX_QUEUES_FOUND) keys.add(key)
    else if (keys === wanted && !keys.has(key)) looked.isFull = true
    return keys.has(key)
  }

  /** Checks the known queues that the scan did not find. A slot may have moved from a node that was not scanned yet to one that was. */
  async function askForUnseen(): Promise<void> {
    const unseen = [...known.keys()].filter(key => !keysLike(key).has(key))
    for (let at = 0; at < unseen.length && !signal.aborted; at += UNSEEN_AT_A_TIME) {
      const some = unseen.slice(at, at + UNSEEN_AT_A_TIME)
      await ask(some)
      for (const key of some) if (known.has(key)) keysLike(key).add(key)
    }
    // The server does not tell whether a key exists that the user may not read. If it exists, one of two scans in a row would find it.
    const unread = unseen.filter(key => known.get(key) === false)
    for (const key of unread) if (missed.has(key)) known.delete(key)
    missed.clear()
    for (const key of unread) if (known.has(key)) missed.add(key)
  }

  /** There are more queues than are shown, so those that were not found are not checked. */
  function forgetUnseen(): void {
    for (const key of known.keys()) if (!keysLike(key).has(key)) known.delete(key)
    missed.clear()
  }

  /** @returns whether one of them is a queue that was not known and is to be shown */
  async function ask(keys: readonly string[]): Promise<boolean> {
    const answers = await Promise.all(keys.map(key => askMeta(client, key)))
    let isNew = false
    for (const [index, key] of keys.entries()) {
      const answer = answers[index]!
      if (answer === 'a queue') {
        isNew ||= !known.has(key) && keysLike(key) === wanted
        known.set(key, true)
      } else if (answer === 'refused' && known.has(key)) known.set(key, false)
      else {
        known.delete(key)
        // It does not count towards the limit.
        keysLike(key).delete(key)
      }
    }
    return isNew
  }
}

/** Waits between steps that should be so many milliseconds apart. */
function createPause(stepMs: number, signal: AbortSignal): () => Promise<unknown> {
  let dueAt = performance.now()
  return async () => {
    const now = performance.now()
    dueAt = Math.max(dueAt + stepMs, now - CATCH_UP_MS)
    await (dueAt > now ? sleep(dueAt - now, undefined, { signal }).catch(() => {}) : nextTurn())
  }
}

async function scanStep(read: ReadClient['read'], label: string, cursor: string): Promise<[string, string[]]> {
  try {
    return await read<[string, string[]]>('SCAN', cursor, 'MATCH', '*:meta', 'COUNT', KEYS_AT_A_TIME)
  } catch (error) {
    if (!isRefusal(error)) throw error
    const [problem, remedy] = isMissingRight(error)
      ? ['its user may not run SCAN', 'grant +scan']
      : ['it does not know SCAN', 'the command is renamed or disabled. Restore it']
    const text = `${problem}, which finds the queues: ${remedy}, or name them with \`queues: ['…']\``
    throw createTaskDashboardError('STORE_UNSUITABLE', ['broker', label, text], { cause: error })
  }
}

function byPrefix(keys: readonly string[], known: ReadonlyMap<string, boolean>, isReadable: boolean): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const key of keys) {
    const place = known.get(key) === isReadable ? placeOf(key) : null
    if (place === null) continue
    const names = found.get(place.prefix) ?? new Set<string>()
    found.set(place.prefix, names.add(place.name))
  }
  return found
}

/** Parses `prefix:name:meta`, where the prefix may have colons and the name has none. */
export function placeOf(metaKey: string): { readonly prefix: string; readonly name: string } | null {
  const [, prefix, name] = /^(.+):([^:]+):meta$/s.exec(metaKey) ?? []
  return prefix === undefined || name === undefined ? null : { prefix, name }
}

/** `refused`: this user may not read it. */
async function askMeta(client: ReadClient, key: string): Promise<'a queue' | 'of another tool' | 'refused'> {
  try {
    return await client.read<number>('HEXISTS', key, 'opts.maxLenEvents') === 1 ? 'a queue' : 'of another tool'
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (error.message.startsWith('WRONGTYPE')) return 'of another tool'
    if (error.message.startsWith('NOPERM')) return 'refused'
    throw error
  }
}
