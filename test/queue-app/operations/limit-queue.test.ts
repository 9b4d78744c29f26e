import fastify from 'fastify'
import t, { type Test } from 'tap'
import { dashboardPlugin, QueueApp, type TaskOptions } from '../../../lib/index.ts'
import type { AuditPage } from '../../../schemas/audit.ts'
import type { Problem } from '../../../schemas/problem.ts'
import type { Queue } from '../../../schemas/queue.ts'
import { onEveryStore } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

/** Queue apps with a task whose runs last until they are released, and a dashboard of the first. */
async function serve(t: Test, url: string, processes: number, options: Pick<TaskOptions, 'rateLimit'> = {}) {
  let release = (): void => {}
  let released = new Promise<void>(resolve => { release = resolve })
  const seen = { running: 0, most: 0, started: 0 }
  const start = async (): Promise<QueueApp> => {
    const queueApp = QueueApp.fromUrls({ broker: url })
    queueApp.task('job', async () => {
      seen.most = Math.max(seen.most, ++seen.running)
      seen.started++
      await released
      seen.running--
    }, { concurrency: 5, ...options })
    await queueApp.start()
    t.teardown(async () => {
      release()
      await queueApp.stop()
    })
    return queueApp
  }
  const apps = [await start()]
  while (apps.length < processes) apps.push(await start())
  const [queueApp] = apps as [QueueApp]
  const server = fastify()
  await server.register(dashboardPlugin, { prefix: '/tasks', queueApp, access: 'host', identify: () => 'ana' })
  t.teardown(() => server.close())
  return {
    queueApp, seen, start, apps,
    /** Ends the current runs. Later runs last until the next release. */
    release() {
      release()
      released = new Promise(resolve => { release = resolve })
    },
    add: (count: number) => queueApp.enqueueMany('job', Array.from({ length: count }, () => [])),
    queue: async () => (await server.inject('/tasks/api/queues')).json<Queue[]>()[0]!,
    limit: (payload: object, name = 'job') => server.inject({ method: 'PUT', url: `/tasks/api/queues/${name}/limits`, payload }),
    audit: async () => (await server.inject('/tasks/api/audit?action=queues:limit')).json<AuditPage>().items
  }
}

t.test('a live concurrency applies across all processes at once, is shown with its author, and survives restarts', t =>
  onEveryStore(t, async (t, url, kind) => {
    // Only one process can open an embedded store.
    const processes = kind === 'embedded' ? 1 : 2
    const { queue, limit, add, seen, release, apps, start, audit } = await serve(t, url, processes)
    await waitFor('the workers', async () => (await queue()).concurrency === 5 * processes)
    t.equal((await queue()).limits, null)
    const answer = await limit({ concurrency: 2, reason: 'the database is slow' })
    const limits = { concurrency: 2, rate: null, by: 'ana', reason: 'the database is slow' }
    t.match([answer.statusCode, answer.json()], [200, { limits, concurrency: 5 * processes, rate_limit: null }])
    t.match(answer.json<Queue>().limits!.since, /^\d{4}-/)
    await add(12)
    await waitFor('two runs', async () => seen.running === 2)
    t.match(await queue(), { limits, running: 2, pending: 10, utilisation: 100 })
    for (let ended = 2; ended <= 6; ended += 2) {
      release()
      await waitFor('the next runs', async () => seen.started === ended + 2 && seen.running === 2)
    }
    t.equal(seen.most, 2)

    const standing = (await queue()).limits
    t.strictSame((await limit({ concurrency: 2, reason: 'the database is slow' })).json<Queue>().limits, standing, 'repeating it is safe')
    t.strictSame((await limit({})).json<Queue>().limits, standing, 'absent fields stay unchanged')
    t.strictSame((await limit({ concurrency: 2 })).json<Queue>().limits, standing, 'nor does a repeat without a reason erase it')
    t.strictSame((await apps[0]!.operations.limitQueue('job', { concurrency: 2, by: 'ben' })).limits?.by, 'ana', 'ben changed nothing')
    await limit({ concurrency: 3 })
    await waitFor('a third run, although nothing ended', async () => seen.running === 3, 4_000)
    await limit({ concurrency: null })
    await waitFor('the others', async () => seen.running === Math.min(6, 5 * processes), 4_000)
    t.equal((await queue()).limits, null)

    await limit({ concurrency: 1, rate: { max: 9, duration_ms: 1_000 } })
    release()
    const raised = { concurrency: 1, rate: { max: 9, duration_ms: 1_000 }, by: 'ana', reason: null }
    t.match((await queue()).limits, raised)
    const [latest] = await audit()
    t.match(latest, { outcome: 'done', before: { limits: null }, after: { limits: raised } })
    if (kind !== 'embedded') {
      await apps[1]!.stop()
      await start()
    }
    t.match((await queue()).limits, raised, 'a starting worker does not change it')
    t.match((await limit({ concurrency: null, rate: null })).json(), { limits: null })
  }))

t.test('a live rate applies across all processes, and lifting it wakes their workers', t => onEveryStore(t, async (t, url, kind) => {
  const { queue, limit, add, seen, queueApp } = await serve(t, url, kind === 'embedded' ? 1 : 2)
  await limit({ rate: { max: 3, duration_ms: 60_000 } })
  await add(5)
  await waitFor('three starts', async () => seen.started === 3)
  const { rate_limited_until: until, rate_limit: inCode } = await queue()
  t.equal(inCode, null)
  t.ok(Math.abs(Date.parse(until!) - Date.now() - 60_000) < 20_000, `limited until ${until}`)
  t.equal((await queueApp.monitoring.task('job'))?.rateLimitedUntil === null, false)
  t.equal((await limit({ concurrency: 9 })).json<Queue>().rate_limited_until === null, false)
  t.equal((await limit({ rate: { max: 4, duration_ms: 60_000 } })).json<Queue>().rate_limited_until, null, 'the new limit is not reached')
  await waitFor('a fourth start', async () => seen.started === 4, 4_000)
  await limit({ concurrency: null, rate: null })
  await waitFor('the last start', async () => seen.started === 5, 4_000)
  t.match(await queue(), { limits: null, rate_limited_until: null })
}))

t.test('a live rate replaces the number in the code, within its window', t => onEveryStore(t, async (t, url) => {
  const { queue, limit, add, seen } = await serve(t, url, 1, { rateLimit: { max: 2, durationMs: 60_000 } })
  t.match((await limit({ rate: { max: 1, duration_ms: 1_000 } })).json<Problem>(), {
    status: 400, errors: [{ pointer: '/rate/duration_ms', message: /must be 60000/ }]
  })
  await limit({ rate: { max: 1, duration_ms: 60_000 } })
  await add(4)
  await waitFor('one start', async () => seen.started === 1 && (await queue()).rate_limited_until !== null)
  t.match(await queue(), { rate_limit: { max: 2 }, limits: { rate: { max: 1, duration_ms: 60_000 } } })
  await limit({ rate: null })
  await waitFor('a second start', async () => seen.started === 2, 4_000)
  await waitFor('the limit in the code to apply', async () => (await queue()).rate_limited_until !== null)
  t.equal(seen.started, 2)
}))

t.test('changing only the concurrency keeps the current window of a rate', t => onEveryStore(t, async (t, url) => {
  const before = await serve(t, url, 1)
  await before.limit({ rate: { max: 2, duration_ms: 1_000 } })
  await before.apps[0]!.stop()
  // As after a deploy: the window of the code is longer than the live one.
  const { limit, add, seen, queue } = await serve(t, url, 1, { rateLimit: { max: 9, durationMs: 60_000 } })
  await add(4)
  await waitFor('two starts', async () => seen.started === 2 && (await queue()).rate_limited_until !== null)
  const until = Date.parse((await queue()).rate_limited_until!)
  t.match((await limit({ concurrency: 4 })).json(), { limits: { concurrency: 4, rate: { max: 2, duration_ms: 1_000 } } })
  t.ok(Math.abs(Date.parse((await queue()).rate_limited_until!) - until) < 2_000)
  t.equal(seen.started, 2)
}))

t.test('limits that make no sense are refused', t => onEveryStore(t, async (t, url) => {
  const { limit, queue } = await serve(t, url, 1)
  for (const [payload, pointer] of [
    [{ concurrency: 0 }, '/concurrency'], [{ concurrency: 1.5 }, '/concurrency'], [{ concurrency: 1e6 }, '/concurrency'],
    [{ rate: { max: 1 } }, '/rate'], [{ rate: { max: 0, duration_ms: 1 } }, '/rate/max'], [{ limit: 1 }, '']
  ] as const) {
    const answer = (await limit(payload)).json<Problem>()
    t.equal(answer.status, 400, JSON.stringify(payload))
    t.ok(JSON.stringify(answer.errors).includes(pointer), JSON.stringify(answer.errors))
  }
  t.match((await limit({ concurrency: 1 }, 'unknown')).json<Problem>(), { status: 404, code: 'QUEUE_NOT_FOUND' })
  t.equal((await queue()).limits, null)
}))
