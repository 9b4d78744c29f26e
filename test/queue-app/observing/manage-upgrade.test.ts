/** Owners that deploy another major version of BullMQ while a queue is paused from the dashboard. */
import t from 'tap'
import { observe } from '../../support/observe.ts'
import { openQueue, startOwnersWorker } from '../../support/programs/owners-of-queues.ts'
import { redisUrl } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

for (const [before, after] of [[5, 6], [6, 5]] as const) {
  const isUpgrade = after > before
  const resumed = isUpgrade ? 'from here' : 'by version 6, because from here it is refused'
  t.test(`a queue that was paused under BullMQ ${before} and is resumed under ${after} ${resumed}, runs every job once`, async t => {
    const url = await redisUrl(t)
    const old = openQueue(t, before, 'emails', url)
    await old.addBulk(Array.from({ length: 5 }, (_, index) => ({ name: 'send', data: { to: index } })))
    const { operations, monitoring } = await observe(t, { broker: url }, { manage: true, onError: error => t.fail(error.message) })
    await operations.pauseQueue('emails', { reason: 'a deploy' })
    t.equal(await old.isPaused(), true)
    await old.addBulk(Array.from({ length: 5 }, (_, index) => ({ name: 'send', data: { to: 5 + index } })))
    t.match(await monitoring.queue('emails'), { pending: 10 })
    if (isUpgrade) await old.close()

    const queue = openQueue(t, after, 'emails', url)
    const worker = startOwnersWorker(t, after, 'emails', url)
    await queue.waitUntilReady()
    t.equal(await queue.isPaused(), true, 'it is still paused for the new version')
    t.match(await monitoring.queue('emails'), { pending: 10, running: 0 })
    t.equal(worker.outcomes.length, 0)
    if (isUpgrade) await operations.resumeQueue('emails')
    else {
      await t.rejects(operations.resumeQueue('emails'), { code: 'CONFLICT', message: /let only version 6 pause and resume it/ })
      await old.resume()
      await old.close()
    }
    await waitFor('the worker', async () => worker.outcomes.length >= 10)
    await waitFor('the history', async () => (await monitoring.tasks())[0]?.executions.success === 10)
    t.same(worker.outcomes.map(({ jobId }) => Number(jobId)).toSorted((a, b) => a - b), Array.from({ length: 10 }, (_, index) => index + 1))
    t.match(await monitoring.queue('emails'), { pending: 0, running: 0, pause: null })
  })
}
