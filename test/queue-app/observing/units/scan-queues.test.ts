import t from 'tap'
import { scanQueues } from '../../../../lib/engine/observing/redis/scan-queues.ts'
import type { ReadClient } from '../../../../lib/stores/redis/observing/read-client.ts'

/** A cluster whose nodes answer a scan with these keys; `existing` are in it, wherever. */
function clusterOf(nodes: ReadonlyArray<readonly string[]>, existing: readonly string[]): ReadClient {
  return {
    label: 'cluster',
    nodes: () => nodes.map(keys => async () => ['0', keys]),
    read: async (_command: string, key: string) => Number(existing.includes(key))
  } as unknown as ReadClient
}

t.test('a queue whose slot moves to a node that was already scanned is kept, and one that is gone is not', async t => {
  const known = new Map<string, boolean>()
  const look = async (nodes: ReadonlyArray<readonly string[]>, existing: readonly string[]): Promise<string[]> => {
    const { byPrefix } = await scanQueues(clusterOf(nodes, existing), { known, signal: new AbortController().signal, onStep() {} })
    return [...byPrefix.get('bull') ?? []].sort()
  }
  const [a, b] = ['bull:{a}:meta', 'bull:{b}:meta'] as const
  t.same(await look([[a], [b]], [a, b]), ['{a}', '{b}'])
  t.same(await look([[a], []], [a, b]), ['{a}', '{b}'], 'the second moved behind the scan')
  t.same(await look([[a], []], [a]), ['{a}'], 'it is gone')
})
