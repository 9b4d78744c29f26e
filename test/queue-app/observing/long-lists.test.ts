import t from 'tap'
import { Redis } from 'ioredis'
import { MAX_LIST_SEARCHED } from '../../../lib/engine/observing/redis/find-job.ts'
import { observe } from '../../support/observe.ts'
import { openQueue } from '../../support/programs/owners-of-queues.ts'
import { redisUrl } from '../../support/servers/stores.ts'

/** Longer than what is searched of a list. */
const LONG = 2 * MAX_LIST_SEARCHED + 1_000

t.test('a job has its own state although lists of its queue are too long to be searched', async t => {
  const url = await redisUrl(t)
  const mail = openQueue(t, 6, 'mail', url)
  const middle = await mail.add('send', { number: 1 })
  const later = await mail.add('send', { number: 2 }, { delay: 3_600_000 })
  const next = await mail.add('send', { number: 3 })
  const redis = new Redis(url)
  t.teardown(() => redis.disconnect())
  const others = Array.from({ length: LONG }, (_, index) => `other-${index}`)
  for (let from = 0; from < LONG; from += 1_000) await redis.rpush('bull:mail:active', ...others.slice(from, from + 1_000))
  const queueApp = await observe(t, { broker: url })
  const stateOf = async (id: string | undefined) => (await queueApp.monitoring.execution(`mail:${id}`))?.state
  t.equal(await stateOf(later.id), 'delayed')
  t.equal(await stateOf(next.id), 'waiting')

  await redis.lrem('bull:mail:wait', 1, middle.id!)
  await redis.linsert('bull:mail:active', 'AFTER', others[LONG / 2]!, middle.id!)
  t.equal(await stateOf(middle.id), 'active', 'it is nowhere else')
})
