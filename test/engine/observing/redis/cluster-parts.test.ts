import t from 'tap'
import { createObservedRedis } from '../../../../lib/engine/observing/redis/redis-server.ts'
import type { ReadClient } from '../../../../lib/stores/redis/observing/read-client.ts'

t.test('a part of a cluster stays the same object as long as it has a queue', async t => {
  const clientOf = (tag: string): ReadClient => ({ tag, forKey: (key: string) => clientOf(key) }) as unknown as ReadClient
  const server = createObservedRedis(clientOf(''))
  const partOf = (name: string) => server.partFor({ prefix: 'bull', name })
  const [kept, gone] = [partOf('{a}'), partOf('{b}')]
  t.not(kept, gone)
  t.equal(partOf('{a}'), kept)
  await server.settle(() => false, part => part === kept)
  t.equal(partOf('{a}'), kept)
  t.not(partOf('{b}'), gone, 'it was forgotten')
})
