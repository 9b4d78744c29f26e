import t from 'tap'
import { scanQueues } from '../../../../lib/engine/observing/redis/scan-queues.ts'
import type { ReadClient } from '../../../../lib/stores/redis/observing/read-client.ts'

/** A cluster whose nodes answer a scan with these keys; `existing` are in it, wherever. Nobody may read `refused`. */
function clusterOf(nodes: ReadonlyArray<readonly string[]>, existing: readonly string[], refused: readonly string[] = []): ReadClient {
  return {
    label: 'cluster',
    nodes: () => nodes.map(keys => async () => ['0', keys]),
    async read(_command: string, key: string) {
      if (refused.includes(key)) throw new Error('NOPERM this user has no permissions')
      return Number(existing.includes(key))
    }
  } as unknown as ReadClient
}

t.test('a queue whose slot moves to a node that was already scanned is kept, and one that is gone is not', async t => {
  const options = { known: new Map<string, boolean>(), missed: new Set<string>(), signal: new AbortController().signal, onStep() {} }
  const look = async (nodes: ReadonlyArray<readonly string[]>, existing: readonly string[]): Promise<string[]> => {
    const { byPrefix } = await scanQueues(clusterOf(nodes, existing), options)
    return [...byPrefix.get('bull') ?? []].sort()
  }
  const [a, b] = ['bull:{a}:meta', 'bull:{b}:meta'] as const
  t.same(await look([[a], [b]], [a, b]), ['{a}', '{b}'])
  t.same(await look([[a], []], [a, b]), ['{a}', '{b}'], 'the second moved behind the scan')
  t.same(await look([[a], []], [a]), ['{a}'], 'it is gone')
})

t.test('a queue that may no longer be read is told of until it is gone', async t => {
  const [known, missed] = [new Map<string, boolean>(), new Set<string>()]
  const look = async (client: ReadClient): Promise<[string[], string[]]> => {
    const found = await scanQueues(client, { known, missed, signal: new AbortController().signal, onStep() {} })
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
