import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fastify from 'fastify'
import t from 'tap'
import { currentExecution, QueueApp } from '../../lib/index.ts'
import { onEveryStore } from '../support/servers/stores.ts'
import { isSoak } from '../support/soak.ts'
import { waitFor } from '../support/wait-for.ts'

t.test('stop() during start() waits for it and closes everything, and start() rejects with the reason', async t => {
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

t.test('run() resolves when stopped while starting, and rejects after a stop', async t => {
  await onEveryStore(t, async (t, broker) => {
    const queueApp = QueueApp.fromUrls({ broker })
    queueApp.task('noop', () => {})
    const running = queueApp.run()
    await queueApp.stop()
    await t.resolves(running)
    await t.rejects(queueApp.run(), { code: 'ALREADY_STOPPED' })
  })
})

t.test('a stop while a server does not respond to the start is no error either', async t => {
  const silent = createServer(socket => { socket.on('error', () => {}).unref() }).listen(0, '127.0.0.1').unref()
  await once(silent, 'listening')
  const broker = `redis://127.0.0.1:${(silent.address() as AddressInfo).port}`
  for (const create of [() => QueueApp.fromUrls({ broker }), () => QueueApp.fromQueues({ broker })]) {
    const queueApp = create()
    const running = queueApp.run()
    const started = queueApp.start().then(() => null, (error: unknown) => error)
    await sleep(50)
    await queueApp.stop()
    await t.resolves(running)
    t.match(await started, { code: 'ALREADY_STOPPED', cause: { code: 'STORE_UNREACHABLE' } })
  }
})

t.test('a task can be registered at any moment of the start, and runs with the concurrency it asked for', async t => {
  await onEveryStore(t, async (t, broker) => {
    for (const delayMs of isSoak ? [0, 1, 2, 5, 10, 20, 40] : [0, 2, 10, 40]) {
      const queueApp = QueueApp.fromUrls({ broker, onError() {} })
      let running = 0
      let most = 0
      const handler = async (): Promise<void> => {
        most = Math.max(most, ++running)
        await sleep(5)
        running--
      }
      const name = `registered after ${delayMs} ms`
      queueApp.task('before', () => {})
      const starting = queueApp.start()
      // Also while workers are being started: any turn of the event loop may matter.
      if (delayMs === 0) await Promise.resolve()
      else await sleep(delayMs)
      const task = queueApp.task(name, handler, { concurrency: 1 })
      t.throws(() => queueApp.task(name, handler), { code: 'DUPLICATE_TASK' })
      await Promise.all([starting, queueApp.start()])
      const ids = await queueApp.enqueueMany(task, Array.from({ length: 10 }, () => [] as const))
      for (const id of ids) t.match(await queueApp.result(id, { waitMs: 60_000 }), { status: 'success' })
      t.equal(most, 1)
      await waitFor('it to be published', async () =>
        (await queueApp.monitoring.tasks()).some(each => each.name === name && each.workers === 1))
      await queueApp.stop()
      t.throws(() => queueApp.task('after', handler), { code: 'ALREADY_STOPPED' })
    }
  })
})

t.test('during start() calls to the broker reject with NOT_STARTED, and schedules declared then exist afterwards', async t => {
  await onEveryStore(t, async (t, broker) => {
    const queueApp = QueueApp.fromUrls({ broker, onError() {} })
    const task = queueApp.task('noop', () => {})
    const scheduler = queueApp.createScheduler()
    const starting = queueApp.start()
    await t.rejects(queueApp.enqueue(task, []), { code: 'NOT_STARTED' })
    await t.rejects(queueApp.result('none'), { code: 'NOT_STARTED' })
    const declared: Array<Promise<unknown>> = []
    const declare = (): void => {
      // On a busy machine a write may time out. The declaration is written again later.
      declared.push(scheduler.scheduleInterval('noop', 3_600_000, null, {
        id: `declared ${declared.length}`
      }).catch((error: { code?: string }) => {
        t.equal(error.code, 'BROKER_UNAVAILABLE')
      }))
    }
    const done = starting.then(declare)
    for (const delayMs of [0, 5, 10, 20, 40]) {
      declare()
      await sleep(delayMs)
    }
    await done
    await Promise.all(declared)
    await waitFor(
      'all schedules to stand', async () => (await queueApp.monitoring.schedules({ taskName: 'noop' })).length === declared.length
    )
    await queueApp.stop()
  })
})

t.test('an app that was never started, or failed to start, reports no background errors', async t => {
  await onEveryStore(t, async (t, broker) => {
    const errors: Error[] = []
    const queueApp = QueueApp.fromUrls({ broker, onError: error => { errors.push(error) } })
    queueApp.task('noop', () => {})
    await queueApp.createScheduler().scheduleInterval('noop', 3_600_000)
    await queueApp.stop()
    t.same(errors, [])
  })
  const errors: Error[] = []
  const away = QueueApp.fromUrls({ broker: 'redis://127.0.0.1:1', onError: error => { errors.push(error) } })
  away.task('noop', () => {})
  await t.rejects(away.start(), { code: 'STORE_UNREACHABLE' })
  t.same(errors, [])
})

t.test('a process can enqueue and schedule its declared tasks before any worker has started; ' +
  'a later worker runs them', async t => {
  await onEveryStore(t, async (t, broker) => {
    interface Tasks { 'email:send'(to: string): { to: string, attempt: number }, hasOwnProperty(): void }
    const tasks = { 'email:send': { retries: 2, description: 'Sends one e-mail' }, hasOwnProperty: {} }
    const errors: Error[] = []
    const web = QueueApp.fromUrls<Tasks>({ broker, tasks, onError: error => { errors.push(error) } })
    await web.createScheduler().scheduleCron('email:send', '0 9 * * 1', 'Monday', { args: ['team@example.com'] })
    await web.start()
    const host = fastify()
    host.post('/send/:name', async request => ({
      id: await web.enqueue((request.params as { name: 'email:send' }).name, ['ana@example.com'])
    }))
    const sent = await host.inject({ method: 'POST', url: '/send/email:send' })
    t.equal(sent.statusCode, 200, sent.body)
    for (const name of ['emial:send', 'toString']) {
      const refused = await host.inject({ method: 'POST', url: `/send/${name}` })
      t.match(refused.json(), { statusCode: 500, code: 'TASK_NOT_REGISTERED' }, '500: a bug of the host, not of its client')
    }
    await host.close()
    await web.createScheduler().scheduleCron('email:send', '0 9 * * 2', 'Tuesday', { id: 'tuesday', args: ['team@example.com'] })
    t.match(await web.monitoring.task('email:send'), {
      description: 'Sends one e-mail', retries: 2, workers: 0, schedules: 2, executions: { pending: 1 }
    })
    t.match((await web.monitoring.tasks()).map(task => task.name), ['email:send', 'hasOwnProperty'])
    await web.stop()

    const worker = QueueApp.fromUrls<Tasks>({ broker, tasks })
    t.teardown(() => worker.stop())
    const task = worker.task('email:send', to => {
      const { attempt } = currentExecution()
      if (attempt < 3) throw new Error('not yet')
      return { to, attempt }
    })
    t.equal(task.options.retries, 2, 'as declared')
    await worker.start()
    const { id } = sent.json<{ id: string }>()
    const outcome = await worker.result<'email:send'>(id, { waitMs: 60_000 })
    t.same(outcome?.result, { to: 'ana@example.com', attempt: 3 }, 'enqueued with the declared retries')
    t.match(await worker.monitoring.task('email:send'), { workers: 1 })
    t.same(errors, [])
  })
})
