import { INFO_REFUSED, infoField } from '../../stores/redis/checks/info.ts'
import type { Store } from '../../stores/store.ts'

/** What a datastore reports about itself. Unreported values are null; never rejects. */
export async function describeStore(store: Store): Promise<DatastoreReport> {
  const unknown: DatastoreReport = { kind: store.kind, version: null, evictionPolicy: null, persistence: null }
  try {
    return { ...unknown, ...await (store.kind === 'redis' ? describeRedis(store) : describeSql(store)) }
  } catch {
    return unknown
  }
}

async function describeRedis({ client }: Extract<Store, { kind: 'redis' }>): Promise<Partial<DatastoreReport>> {
  const info = await client.info()
  if (info === INFO_REFUSED) return {}
  const field = (name: string): string | null => infoField(info, name) ?? null
  return { version: field('redis_version'), evictionPolicy: field('maxmemory_policy'), persistence: await persistenceOf() }

  async function persistenceOf(): Promise<DatastoreReport['persistence']> {
    if (field('aof_enabled') === '1') return 'log'
    // Hosted servers refuse CONFIG and have their own persistence settings.
    const save: unknown = await client.config('GET', 'save').catch(() => null)
    if (!Array.isArray(save)) return null
    return save[1] ? 'snapshots' : 'none'
  }
}

async function describeSql(store: Extract<Store, { kind: 'postgres' | 'embedded' }>): Promise<Partial<DatastoreReport>> {
  const { rows } = await store.query<{ version: string }>('SELECT current_setting(\'server_version\') AS version')
  const isMemory = store.kind === 'embedded' && /^embedded:(?:\/\/)?$/.test(store.label)
  return { version: rows[0]!.version, persistence: isMemory ? 'memory' : 'log' }
}

/** A field is null if the datastore does not report it. */
export interface DatastoreReport {
  readonly kind: string
  readonly version: string | null
  /** Only for Redis: its `maxmemory-policy`. */
  readonly evictionPolicy: string | null
  /** What survives a crash: everything (`log`), the last snapshot (`snapshots`), or nothing. */
  readonly persistence: 'log' | 'snapshots' | 'none' | 'memory' | null
}
