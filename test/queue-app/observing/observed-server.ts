import { isDeepStrictEqual } from 'node:util'
import type { SeenQueue } from '../../../lib/engine/observing/discovery.ts'
import { OBSERVED_FIELDS } from '../../../lib/engine/observing/observed-job.ts'
import { createObservedRedis } from '../../../lib/engine/observing/redis/redis-server.ts'
import type { FinishedExecution } from '../../../lib/execution.ts'
import { createFollower, type Follower } from '../../../lib/queue-app/observing/follow-events.ts'
import { createRecordingTurn } from '../../../lib/queue-app/observing/recording-turn.ts'
import { createNotedFinishes } from '../../../lib/queue-app/observing/noted-finishes.ts'
import { createEventFinishes } from '../../../lib/queue-app/observing/event-finishes.ts'
import { SupersededError } from '../../../lib/stores/documents/fence.ts'
import type { DocumentStore } from '../../../lib/stores/documents/documents.ts'
import type { ReadClient } from '../../../lib/stores/redis/observing/read-client.ts'
import { createMemoryDocuments } from '../../support/memory-documents.ts'
import { readOneByOne } from '../../support/read-one-by-one.ts'

type Entry = [id: string, flat: string[]]

/** A server in memory with one queue, whose responses a test can change. */
export function createObservedServer(taskName: string, identity = taskName) {
  const events: Entry[] = []
  const jobs = new Map<string, Record<string, string>>()
  let at = 1_000
  let reading = 0
  const server = {
    /** Called before each command; rejects as the server would. */
    async before(_command: string, _parameters: ReadonlyArray<string | number>): Promise<void> {},
    events,
    jobs,
    /** Jobs that are being read at this moment. */
    reading: () => reading,
    /** Finishes a job. `isKept`: its queue still has it. */
    finish(jobId: string, { isKept = true, result = '1' } = {}): void {
      const finishedOn = ++at
      if (isKept) jobs.set(jobId, { timestamp: '1', processedOn: '2', finishedOn: String(finishedOn), data: '{}', returnvalue: result })
      events.push([`${finishedOn}-0`, ['event', 'completed', 'jobId', jobId, 'returnvalue', result]])
    }
  }

  async function read(command: string, ...parameters: Array<string | number>): Promise<unknown> {
    const isJob = command === 'HMGET' && parameters.length === OBSERVED_FIELDS.length + 1
    if (isJob) reading++
    try {
      await server.before(command, parameters)
      if (isJob) await new Promise(resolve => { setImmediate(resolve) })
      return answer(command, parameters)
    } finally {
      if (isJob) reading--
    }
  }

  function answer(command: string, parameters: ReadonlyArray<string | number>): unknown {
    const [key, ...rest] = parameters.map(String)
    const job = jobs.get(key!.split(':')[2]!)
    switch (command) {
      case 'XREAD': {
        const after = Number(String(parameters.at(-1)).split('-')[0])
        const found = events.filter(([id]) => Number(id.split('-')[0]) > after).slice(0, Number(parameters[1]))
        return found.length === 0 ? null : [[`bull:${taskName}:events`, found]]
      }
      case 'XINFO': return ['length', events.length, 'last-generated-id', events.at(-1)?.[0] ?? '0-0', 'first-entry', events[0] ?? null,
        'entries-added', events.length]
      case 'HGET': return job?.[rest[0]!] ?? null
      case 'HMGET': return rest.map(field => job?.[field] ?? null)
      case 'HSTRLEN': return job?.[rest[0]!]?.length ?? 0
      case 'LLEN': return 0
      default: throw new Error(`not answered here: ${command}`)
    }
  }
  const client = {
    label: `redis://${identity}`, identity, tag: identity === taskName ? '' : taskName,
    read,
    readAll: readOneByOne(read),
    readPatiently: read,
    now: () => server.before('TIME', []).then(() => at),
    ping: () => server.before('PING', []).then(() => 1),
    info: async () => []
  } as unknown as ReadClient
  const queue: SeenQueue = { taskName, name: taskName, prefix: 'bull', server: createObservedRedis(client), firstSeenAt: 0, lastSeenAt: 0 }
  return Object.assign(server, { queue })
}

export type ObservedServer = ReturnType<typeof createObservedServer>

/** A follower of these servers, some of which a test can remove, and the history that it writes. */
export function createFollowerOf(
  servers: readonly ObservedServer[],
  { documents = createMemoryDocuments(), history = [] as FinishedExecution[], before = async () => {} }: {
    documents?: Pick<DocumentStore, 'getMany' | 'put' | 'putMany' | 'list' | 'acquireLease'>
    history?: FinishedExecution[]
    /** Called before each write to the history. */
    before?: (executions: readonly FinishedExecution[]) => Promise<void>
  } = {}
): Follower & { readonly history: FinishedExecution[]; readonly errors: string[] } {
  const errors: string[] = []
  const follower = createFollower({
    discovery: {
      queues: () => servers.map(({ queue }) => queue),
      queueOf: name => servers.find(({ queue }) => queue.taskName === name)?.queue
    },
    backend: {
      async record(executions, { onlyWhile } = {}) {
        await before(executions)
        const [held] = onlyWhile ? await documents.getMany(onlyWhile.collection, [onlyWhile.id]) : []
        const { version, value } = onlyWhile ?? {}
        if (onlyWhile && !(held?.version === version && isDeepStrictEqual(held?.value, value))) throw new SupersededError()
        history.push(...executions.filter(({ executionId }) => !history.some(each => each.executionId === executionId)))
        return executions.length
      },
      missing: async ids => ids.filter(id => !history.some(each => each.executionId === id)),
      list: async () => ({ executions: [], next: null, total: { value: 0, relation: 'exact' }, scanned: null, complete: true }),
      kept: async () => ({ prunedBefore: null } as never)
    },
    documents, holder: 'this', turn: createRecordingTurn(documents, 'this'), noted: createNotedFinishes(), ofEvents: createEventFinishes(),
    recorded: execution => execution,
    onError: error => { errors.push(error.message) }
  })
  return Object.assign(follower, { history, errors })
}
