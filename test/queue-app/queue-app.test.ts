import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { QueueApp } from '../../lib/index.ts'
import { onEveryStore } from '../support/stores.ts'

t.test('a stop during the start waits for it, closes everything, and start() says why it did not last', async t => {
  await onEveryStore(t, async (t, broker) => {
    for (const delayMs of [0, 5, 40]) {
      const errors: Error[] = []
      const queueApp = QueueApp.fromUrls({ broker, onError: error => errors.push(error) })
      queueApp.task('noop', () => {})
      const started = queueApp.start().then(() => null, (error: unknown) => error)
      await sleep(delayMs)
      const wasStarted = queueApp.isStarted
      await queueApp.stop()
      if (!wasStarted) t.match(await started, { code: 'ALREADY_STOPPED' })
      t.equal(queueApp.isStarted, false)
      t.same(errors, [])
    }
  })
})

t.test('run() resolves after a stop that came while it was starting, and is refused after one', async t => {
  await onEveryStore(t, async (t, broker) => {
    const queueApp = QueueApp.fromUrls({ broker })
    queueApp.task('noop', () => {})
    const running = queueApp.run()
    await queueApp.stop()
    await t.resolves(running)
    await t.rejects(queueApp.run(), { code: 'ALREADY_STOPPED' })
  })
})
