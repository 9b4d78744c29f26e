import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { QueueApp } from '../../../lib/index.ts'
import type { Schedule } from '../../../schemas/schedule.ts'
import type { TestServer } from '../../support/servers/child-server.ts'
import { LOADER } from '../../support/loader.ts'
import { postgresUrl, redisUrl, startPostgres, startRedis } from '../../support/servers/stores.ts'
import { startSlowProxy } from '../../support/network/slow-proxy.ts'
import { waitFor } from '../../support/wait-for.ts'
import { serveDashboard } from '../serve-dashboard.ts'

const BODY = { task_name: 'report', cron: '0 6 1 1 *' }

async function open(t: Test, url: string) {
  const queueApp = QueueApp.fromUrls({ broker: url, stopGraceMs: 1000, onError() {} })
  queueApp.task('report', async () => 'done')
  await queueApp.start()
  const server = await serveDashboard(t, queueApp)
  const create = (description: string, key: string) => server.inject({
    method: 'POST', url: '/tasks/api/schedules/cron', payload: { ...BODY, description }, headers: { 'idempotency-key': key }
  })
  return {
    create,
    /** Repeats the request like a client until it succeeds. */
    repeat: (description: string, key: string) => waitFor(`${description} to be answered`, async () => {
      const answer = await create(description, key)
      // The first request holds the key for fifteen seconds.
      if (answer.statusCode === 409) await sleep(500)
      return answer.statusCode === 201 && answer.json<Schedule>()
    }),
    listed: () => waitFor('the list', async () => {
      const answer = await server.inject('/tasks/api/schedules')
      return answer.statusCode === 200 && answer.json<Schedule[]>()
    })
  }
}

const WRITES = 5

// The tests mostly wait, each for its own servers.
t.jobs = 3

t.test('after a process is killed during its writes, a repeat with the same ' +
  'key creates no second schedule', { timeout: 180_000 }, async t => {
  // Both stores at the same time, because each waits until the keys of the killed process are free.
  await Promise.all([redisUrl, postgresUrl].map(async urlOf => {
    const url = await urlOf(t)
    const proxy = await startSlowProxy(t, url)
    const child = fork(fileURLToPath(new URL('write-app.ts', import.meta.url)), [proxy.url], {
      execArgv: [...LOADER], stdio: ['ignore', 'inherit', 'inherit', 'ipc']
    })
    t.teardown(() => { child.kill('SIGKILL') })
    const [port] = await once(child, 'message') as [number]
    proxy.roundTripMs = 500
    const writes = Array.from({ length: WRITES }, (_, index) => ({ description: `write ${index}`, key: randomUUID() }))
    const sent = writes.map(async ({ description, key }, index) => {
      await sleep(index * 400)
      return await fetch(`http://127.0.0.1:${port}/tasks/api/schedules/cron`, {
        method: 'POST', headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify({ ...BODY, description })
      }).then(async answer => answer.status === 201 ? (await answer.json() as Schedule).schedule_id : null, () => null)
    })
    await sleep(WRITES * 400)
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
    const answered = await Promise.all(sent)
    t.ok(answered.includes(null), 'some got no response')

    const { repeat, listed } = await open(t, url)
    const repeated = await Promise.all(writes.map(({ description, key }) => repeat(description, key)))
    for (const [index, id] of answered.entries()) if (id !== null) t.equal(repeated[index]!.schedule_id, id, 'the same response')
    const all = await listed()
    t.same(all.map(({ description }) => description).sort(), writes.map(({ description }) => description).sort())
    t.same(all.map(each => each.schedule_id).sort(), repeated.map(each => each.schedule_id).sort())
  }))
})

const servers: Record<string, (t: Test) => Promise<TestServer>> = {
  redis: t => startRedis(t, { persistent: true }), postgres: t => startPostgres(t)
}
for (const [kind, start] of Object.entries(servers)) {
  t.test('when a datastore is killed during writes, each answer is true or UNCONFIRMED, and a repeat creates no ' +
    `second schedule, on ${kind}`, { timeout: 180_000 }, async t => {
    const server = await start(t)
    const proxy = await startSlowProxy(t, server.url)
    const { create, repeat, listed } = await open(t, proxy.url)
    proxy.roundTripMs = 300
    const writes = Array.from({ length: WRITES }, (_, index) => ({ description: `write ${index}`, key: randomUUID() }))
    const sent = writes.map(async ({ description, key }, index) => {
      await sleep(index * 200)
      return create(description, key)
    })
    await sleep(WRITES * 200)
    await server.kill()
    const answers = await Promise.all(sent)
    proxy.roundTripMs = 0
    await server.start()
    const standing = await listed()
    for (const [index, answer] of answers.entries()) {
      const isThere = standing.some(({ description }) => description === writes[index]!.description)
      if (answer.statusCode === 201) t.ok(isThere, 'confirmed, so it exists')
      else {
        // The audit log is written first, to the same server. If that fails, the error names the result backend.
        t.match(answer.json(), { status: 503, code: /^(UNCONFIRMED|BROKER_UNAVAILABLE|BACKEND_UNAVAILABLE)$/ })
        if (answer.json<{ code: string }>().code !== 'UNCONFIRMED') t.notOk(isThere, 'refused, so it does not exist')
      }
    }
    t.notOk(answers.every(({ statusCode }) => statusCode === 201), 'some got no response from the datastore')
    await Promise.all(writes.map(({ description, key }) => repeat(description, key)))
    t.same((await listed()).map(({ description }) => description).sort(), writes.map(({ description }) => description).sort())
  })
}
