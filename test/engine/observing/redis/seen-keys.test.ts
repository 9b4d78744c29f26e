import t from 'tap'
import { createObservedRedis } from '../../../../lib/engine/observing/redis/redis-server.ts'
import type { QueuePlace } from '../../../../lib/engine/observing/queue-place.ts'
import type { ReadClient } from '../../../../lib/stores/redis/observing/read-client.ts'
import { readOneByOne } from '../../../support/read-one-by-one.ts'

/** A server whose queues have waiting jobs, and no other keys. */
function startServer() {
  const commands: string[] = []
  const readAll = readOneByOne(async (command, ...keys) => {
    commands.push(command)
    if (command === 'EXISTS') return keys.filter(key => String(key).endsWith(':wait')).length
    return String(keys[0]).endsWith(':wait') ? 3 : 0
  })
  const client = { forKey: () => client, readAll } as unknown as ReadClient
  const sent = (): string[] => commands.splice(0)
  return { server: createObservedRedis(client), sent }
}

const place = (): QueuePlace => ({ taskName: 'mail', name: 'mail', prefix: 'bull' })

t.test('after the next scan for queues, only the keys that a queue has are read', async t => {
  const { server, sent } = startServer()
  t.match(await server.queues.counts([place()], 0), [{ waiting: 3 }])
  t.equal(sent().length, 8, 'one check for any key, and one read of each of seven')
  await server.settle(() => true, () => true)
  t.same(sent(), ['HMGET'], 'the version of the owner')
  t.match(await server.queues.counts([place()], 0), [{ waiting: 3 }])
  t.same(sent().toSorted(), ['EXISTS', 'LLEN'])

  await server.settle(() => false, () => true)
  t.match(await server.queues.counts([place()], 0), [{ waiting: 3 }])
  t.equal(sent().length, 8, 'nothing is remembered about a queue that is gone')
})
