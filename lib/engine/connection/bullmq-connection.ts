import { PostgresConnection, PostgresQueueBackend, type BackendFactory, type ConnectionOptions } from 'bullmq'
import type { SqlPool, Store } from '../../stores/store.ts'
import { findDueQueues } from '../queues/due-queues.ts'
import { keepStarts } from '../workers/keep-starts.ts'
import type { TakenLocks } from '../workers/lost-takes.ts'
import { qualifyNames, readSchemaNames } from './qualify-names.ts'
import { createLeanRedisBackend } from './redis-backend.ts'
import { prepareQueue } from './prepare-queue.ts'
import { createSharedListener, type SharedListener } from './shared-listener.ts'
import { createTakenLocks } from '../workers/taken-locks.ts'
import { pauseAfter } from './until-accepted.ts'

/** How queues and workers connect to a store. */
export interface BullmqConnection {
  /** For calls that serve a request: fail fast. */
  readonly requests: ConnectionOptions
  /** For workers: wait until the server is back. */
  readonly workers: ConnectionOptions
  readonly prefix: string | undefined
  readonly factory: BackendFactory
  readonly takenLocks: TakenLocks
  prepare(): Promise<void>
  close(): Promise<void>
}

export function connectBullmq(store: Store): BullmqConnection {
  if (store.kind === 'redis') {
    return {
      requests: store.client,
      workers: store.patientClient,
      prefix: store.keyPrefix,
      takenLocks: createTakenLocks(store),
      factory: (name, opts, ...rest) => keepStarts(createLeanRedisBackend(name, opts, ...rest), store, name),
      async prepare() {},
      async close() {}
    }
  }
  const schema = `${store.schema}_queue`
  let qualified = (text: string): string => text
  const listener = createSharedListener(() => store.listen(), {
    isRemote: store.kind !== 'embedded',
    findDue: queues => findDueQueues(store.pool, schema, queues)
  })
  return {
    requests: { ...listener.pool, query: (text, parameters) => store.requestPool.query(qualified(text), parameters) } satisfies SqlPool,
    workers: { ...listener.pool, query: (text, parameters) => store.pool.query(qualified(text), parameters) } satisfies SqlPool,
    prefix: undefined,
    takenLocks: createTakenLocks(store),
    factory: ((name, opts) => {
      const connection = new MigratedConnection(opts.connection as never)
      connection.schema = schema
      return keepStarts(new PatientBackend(connection, name, opts as never, listener), store, name)
    }),
    async prepare() {
      await prepareQueue(store, schema)
      qualified = qualifyNames(schema, await readSchemaNames(store.query, schema))
    },
    close: () => listener.close()
  }
}

/**
 * The tables exist already. BullMQ's own check would keep its first failure forever, so a worker created during an outage would never
 * recover.
 */
class MigratedConnection extends PostgresConnection {
  declare schema: string

  override async waitUntilReady(): Promise<void> {}
}

/** When woken without a job, BullMQ's backend asks again without a pause. On a single core that starves everything else. */
class PatientBackend extends PostgresQueueBackend {
  private wakeUps = 0
  private readonly listener: SharedListener

  constructor(connection: PostgresConnection, name: string, opts: never, listener: SharedListener) {
    super(connection, name, opts)
    this.listener = listener
  }

  override async waitForJob(blockTimeout: number): ReturnType<PostgresQueueBackend['waitForJob']> {
    const start = performance.now()
    const wait = this.listener.wait(this.queueName)
    const result = await super.waitForJob(blockTimeout).finally(() => { wait.end() })
    this.wakeUps = performance.now() - start < INSTANT_MS ? this.wakeUps + 1 : 0
    if (this.wakeUps > FREE_WAKE_UPS) await pauseAfter(this.wakeUps - FREE_WAKE_UPS - 1, WOKEN_IN_VAIN)
    return result
  }

  /** BullMQ's function for many jobs creates two temporary tables in each call, so for a few jobs its function for flows is faster. */
  override async addJobs(entries: AddedJobs): Promise<string[]> {
    if (entries.length > MAX_JOBS_AS_FLOW) return await super.addJobs(entries)
    const added = await this.addFlow(entries.map(({ job, jobId, parentKeyOpts }) => ({
      queueName: this.queueName, prefix: '', jobData: job, jobId, parentKeyOpts: parentKeyOpts ?? {}
    })))
    return added.map(([error, id]) => {
      if (error !== null) throw error
      return String(id)
    })
  }

  override async moveToActive(token: string, name?: string): ReturnType<PostgresQueueBackend['moveToActive']> {
    const result = await super.moveToActive(token, name)
    if (result[0]) this.wakeUps = 0
    return result
  }
}

type AddedJobs = Parameters<PostgresQueueBackend['addJobs']>[0]

/** With 20 jobs the function for flows takes about half as long, with 100 about as long: see bench/enqueue.ts. */
const MAX_JOBS_AS_FLOW = 50

const INSTANT_MS = 2
const FREE_WAKE_UPS = 3
const WOKEN_IN_VAIN = { firstMs: 5, longestMs: 100 }
