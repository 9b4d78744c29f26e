import t from 'tap'
import { createDiscovery } from '../../../../lib/engine/observing/discovery.ts'
import { createObservedRedis } from '../../../../lib/engine/observing/redis/redis-server.ts'
import type { ReadClient } from '../../../../lib/stores/redis/observing/read-client.ts'
import { readOneByOne } from '../../../support/read-one-by-one.ts'
import { waitFor } from '../../../support/wait-for.ts'

t.test('versions are seen also by a process that reads nothing else of a queue', async t => {
  let version = 'bullmq:5.81.5'
  const read = async (command: string, key: string): Promise<unknown> => {
    if (command === 'SCAN') return ['0', ['bull:mail:meta']]
    if (command === 'HEXISTS') return 1
    if (command === 'HMGET' && key === 'bull:mail:meta') return [version, null]
    throw new Error(`not answered here: ${command}`)
  }
  const client = {
    label: 'redis://one', start: async () => {}, stop: async () => {}, nodes: () => [read], forKey: () => client, read,
    readAll: readOneByOne(read as never)
  } as unknown as ReadClient
  const server = createObservedRedis(client)
  const discovery = createDiscovery([{ server, prefix: 'bull', label: null, queues: 'all' }], {
    onError: error => t.fail(error.message), pace: { everyMs: 100, atMostMs: 500, keysPerSecond: 1_000_000 }
  })
  t.teardown(discovery.stop)
  await discovery.start()
  const versions = () => server.versionsOf({ prefix: 'bull', name: 'mail' })
  await waitFor('the first version', async () => versions() === '5')
  version = 'bullmq:6.7.0'
  await waitFor('the second version', async () => versions() === '56')
})
