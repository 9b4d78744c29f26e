import t from 'tap'
import { inChunks } from '../../../../lib/collections/in-chunks.ts'
import { scanQueues as scanSchemas } from '../../../../lib/engine/observing/postgres/scan-queues.ts'
import { MAX_QUEUES_FOUND, scanQueues } from '../../../../lib/engine/observing/redis/scan-queues.ts'
import type { ReadClient } from '../../../../lib/stores/redis/observing/read-client.ts'

/** A cluster whose nodes respond to a scan with these keys. `existing` keys exist on any node, and `refused` ones may not be read. */
function clusterOf(nodes: ReadonlyArray<readonly string[]>, existing: readonly string[], refused: readonly string[] = []): ReadClient {
  return inStepsOf(nodes.map(keys => [keys]), existing, refused)
}

/** The same for nodes that respond in several steps. */
function inStepsOf(
  nodes: ReadonlyArray<ReadonlyArray<readonly string[]>>, existing: readonly string[], refused: readonly string[] = []
): ReadClient {
  const there = new Set(existing)
  return {
    label: 'cluster',
    nodes: () => nodes.map(steps => async (_command: string, cursor: string) =>
      [String((Number(cursor) + 1) % steps.length), steps[Number(cursor)]]),
    async read(_command: string, key: string) {
      if (refused.includes(key)) throw new Error('NOPERM this user has no permissions')
      return Number(there.has(key))
    }
  } as unknown as ReadClient
}

const OPTIONS = { prefixes: ['bull'], signal: new AbortController().signal, onStep() {} }
const fresh = () => ({ ...OPTIONS, known: new Map<string, boolean>(), missed: new Set<string>() })
/** A step of a scan finds about a thousand keys. */
const inSteps = (keys: readonly string[]): string[][] => inChunks(keys, 1_000)
const metaKeys = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, index) => `${prefix}:q${index}:meta`)

t.test('a queue whose slot moves to an already scanned node is kept, and one that is gone is not', async t => {
  const options = fresh()
  const look = async (nodes: ReadonlyArray<readonly string[]>, existing: readonly string[]): Promise<string[]> => {
    const { byPrefix } = await scanQueues(clusterOf(nodes, existing), options)
    return [...byPrefix.get('bull') ?? []].sort()
  }
  const [a, b] = ['bull:{a}:meta', 'bull:{b}:meta'] as const
  t.same(await look([[a], [b]], [a, b]), ['{a}', '{b}'])
  t.same(await look([[a], []], [a, b]), ['{a}', '{b}'], 'the second moved behind the scan')
  t.same(await look([[a], []], [a]), ['{a}'], 'it is gone')
})

t.test('a queue that may no longer be read is reported until it is gone', async t => {
  const [known, missed] = [new Map<string, boolean>(), new Set<string>()]
  const look = async (client: ReadClient): Promise<[string[], string[]]> => {
    const found = await scanQueues(client, { ...OPTIONS, known, missed })
    return [[...found.byPrefix.get('bull') ?? []], [...found.refused?.get('bull') ?? []]]
  }
  const [a, b] = ['bull:{a}:meta', 'bull:{b}:meta'] as const
  t.same(await look(clusterOf([[a], [b]], [a, b])), [['{a}', '{b}'], []])
  t.same(await look(clusterOf([[a], [b]], [a, b], [b])), [['{a}'], ['{b}']])
  t.same(await look(clusterOf([[a], []], [a, b], [b])), [['{a}'], ['{b}']], 'it moved behind the scan')
  t.same(await look(clusterOf([[a, b], []], [a, b], [b])), [['{a}'], ['{b}']])
  t.same(await look(clusterOf([[a], []], [a], [b])), [['{a}'], ['{b}']], 'it may have moved again')
  t.same(await look(clusterOf([[a], []], [a], [b])), [['{a}'], []], 'it is gone')
  t.same([[...known.keys()], [...missed]], [[a], []])
})

t.test('keys of other tools and queues under other prefixes do not count towards the limit of queues', async t => {
  const [foreign, others, own] = [metaKeys('bull', MAX_QUEUES_FOUND + 5), metaKeys('other', MAX_QUEUES_FOUND + 5), 'bull:emails:meta']
  const cluster = inStepsOf([[...inSteps(foreign), ...inSteps(others), [own]]], [...others, own])
  const { byPrefix, isAll, isFull } = await scanQueues(cluster, fresh())
  t.same([...byPrefix.get('bull') ?? []], ['emails'])
  t.same({ isAll, isFull }, { isAll: true, isFull: undefined })
})

t.test('queues beyond the limit are reported as missing', async t => {
  const keys = metaKeys('bull', MAX_QUEUES_FOUND + 1)
  const few = await scanQueues(clusterOf([keys.slice(1)], keys), fresh())
  t.match(few, { isAll: true, isFull: undefined })
  const many = await scanQueues(clusterOf([keys], keys), fresh())
  t.equal(many.byPrefix.get('bull')?.size, MAX_QUEUES_FOUND)
  t.match(many, { isAll: false, isFull: true })
})

t.test('beyond the limit, queues that are not found any more are forgotten', async t => {
  const options = fresh()
  for (const generation of ['a', 'b', 'c']) {
    const keys = metaKeys('bull', MAX_QUEUES_FOUND + 1).map(key => key.replace('bull:', `bull:${generation}`))
    await scanQueues(clusterOf([keys], keys), options)
    t.equal(options.known.size, MAX_QUEUES_FOUND)
    t.ok([...options.known.keys()].every(key => key.startsWith(`bull:${generation}`)))
  }
})

t.test('a scan can be slowed down to a number of keys per second, on each node, and can still be ended at once', async t => {
  const nodes = Array.from({ length: 5 }, () => Array.from({ length: 20 }, () => [] as string[]))
  const startedAt = performance.now()
  let keys = 0
  await scanQueues(inStepsOf(nodes, []), { ...fresh(), keysPerSecond: 40_000, onStep: scanned => { keys = scanned } })
  const tookMs = performance.now() - startedAt
  t.equal(keys, 100_000)
  // The last step of each node has no pause after it.
  t.ok(tookMs > 450, `${tookMs} ms`)
  t.ok(tookMs < 2_000, `one node after the other would take 2.5 s, and it took ${tookMs} ms`)
  const stopping = new AbortController()
  const slow = scanQueues(inStepsOf(nodes, []), {
    ...fresh(), keysPerSecond: 1, signal: stopping.signal, onStep: () => { setImmediate(() => stopping.abort()) }
  })
  t.match(await slow, { isAll: false })
})

t.test('a failed node ends the scans of the others', async t => {
  const endless = Array.from({ length: 1_000 }, () => [] as string[])
  const cluster = inStepsOf([endless, endless], [])
  let steps = 0
  const failing = { ...cluster, nodes: () => [...cluster.nodes(), () => Promise.reject(new Error('it hangs'))] } as unknown as ReadClient
  await t.rejects(scanQueues(failing, { ...fresh(), onStep() { steps++ } }), { message: 'it hangs' })
  await new Promise(resolve => { setTimeout(resolve, 50) })
  t.ok(steps < 10, `${steps} steps`)
})

for (const count of [MAX_QUEUES_FOUND, MAX_QUEUES_FOUND + 1]) {
  t.test(`a schema with ${count} queues reports whether some are missing`, async t => {
    const queues = Array.from({ length: count }, (_, index) => ({ queue: `q${index}` }))
    const read = async (text: string): Promise<never[]> => (text.includes('pg_namespace')
      ? [{ schema: 'bullmq', may: true, is_wanted: true }]
      : queues.slice(0, Number(/LIMIT (\d+)/.exec(text)![1]))) as never[]
    const database = { label: 'postgres://large', read, readOf: () => read }
    const { byPrefix, isAll, isFull } = await scanSchemas(database, { prefixes: ['bullmq'] }, new Map())
    t.equal(byPrefix.get('bullmq')?.size, MAX_QUEUES_FOUND)
    t.same({ isAll, isFull }, count > MAX_QUEUES_FOUND ? { isAll: false, isFull: true } : { isAll: true, isFull: undefined })
  })
}
