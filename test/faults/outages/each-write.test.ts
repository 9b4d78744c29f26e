import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { QueueApp } from '../../../lib/index.ts'
import type { BulkOperation } from '../../../schemas/bulk.ts'
import type { ExecutionDetail, ExecutionPage } from '../../../schemas/execution.ts'
import type { Queue } from '../../../schemas/queue.ts'
import type { Schedule } from '../../../schemas/schedule.ts'
import { startSlowProxy } from '../../support/network/slow-proxy.ts'
import { postgresUrl, redisUrl } from '../../support/servers/stores.ts'
import { isSoak } from '../../support/soak.ts'
import { waitFor } from '../../support/wait-for.ts'
import { serveDashboard } from '../serve-dashboard.ts'

/** How many messages of all writes together still reach the store. */
const LEAVES_AFTER = isSoak ? [1, 2, 3, 4, 6, 8, 12, 16, 20, 28, 36, 44, 52, 60, 68, 76] : [3, 8, 36]
/** A task that no process runs, so its executions stay pending. */
const PARKED = 'parked'
const SLOWLY = 'slowly'

/** One request of each kind, on its own resource. */
interface Write {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly payload?: object
  /** How often the API shows the effect of the write. */
  times(): Promise<number>
  /** A status, besides success, that shows that a repeated write had already been done. */
  readonly isGone?: number
}

// Both tests mostly wait, so they run at the same time.
t.jobs = 2

for (const [kind, urlOf] of [['redis', redisUrl], ['postgres', postgresUrl]] as const) {
  t.test(`when ${kind} goes away during each kind of write, responses are true, and a repeat acts once`, { timeout: 600_000 }, async t => {
    const proxy = await startSlowProxy(t, await urlOf(t))
    const app = await open(t, proxy.url)
    const codes = new Map<string, number>()
    for (const [round, messages] of LEAVES_AFTER.entries()) {
      const writes = await app.prepare(round)
      const keys = new Map([...writes.keys()].map(name => [name, randomUUID()]))
      let isAway = false
      void proxy.leaveAfter(messages).then(() => { isAway = true })
      const answers = await Promise.all([...writes].map(async ([name, write]) => {
        const { statusCode, body } = await app.send(write, keys.get(name)!)
        return { name, statusCode, body, code: statusCode < 300 ? 'DONE' : (JSON.parse(body) as { code: string }).code }
      }))
      // If the writes needed fewer messages, upkeep sends the remaining ones.
      await waitFor(`${messages} messages`, async () => isAway)
      proxy.comeBack()
      await app.untilBack()
      for (const { name, statusCode, body, code } of answers) {
        codes.set(code, (codes.get(code) ?? 0) + 1)
        const times = await app.steady(writes.get(name)!)
        if (code === 'DONE') t.equal(times, 1, `${name} was confirmed: ${body.slice(0, 200)}`)
        else if (code === 'UNCONFIRMED') t.ok(times <= 1, `${name} was made ${times} times`)
        else {
          t.equal(statusCode, 503, `${name}: ${body}`)
          t.match(code, /^(BROKER_UNAVAILABLE|BACKEND_UNAVAILABLE|NO_ANSWER)$/)
          t.equal(times, 0, `${name} was refused: ${code}`)
        }
      }
      await Promise.all([...writes].map(async ([name, write]) => {
        await app.repeat(name, write, keys.get(name)!)
        t.equal(await app.steady(write), 1, `${name}, repeated`)
      }))
      await app.tidy()
    }
    t.comment(JSON.stringify([...codes]))
    t.ok([...codes.keys()].some(code => code !== 'DONE'), 'some did not succeed')
  })
}

/** Whether the refusal is temporary: the first request holds its key for fifteen seconds. */
function isForNow(statusCode: number, body: string): boolean {
  return statusCode === 503 || (JSON.parse(body) as { code: string }).code === 'IDEMPOTENCY_KEY_IN_PROGRESS'
}

async function open(t: Test, url: string) {
  const queueApp = QueueApp.fromUrls({ broker: url, stopGraceMs: 1_000, onError() {}, tasks: { [PARKED]: {}, [SLOWLY]: {} } })
  // Each error name makes its own failure group.
  queueApp.task('flaky', async (name: string) => { throw Object.assign(new Error('no'), { name }) }, { concurrency: 20 })
  for (const name of ['paused', 'resumed', 'limited']) queueApp.task(name, async () => {})
  await queueApp.start()
  const server = await serveDashboard(t, queueApp)
  const ask = async <Body>(path: string): Promise<Body | null> => {
    const answer = await server.inject(`/tasks/api/${path}`)
    return answer.statusCode === 503 ? null : answer.json<Body>()
  }
  const read = <Body>(path: string): Promise<Body> => waitFor(path, () => ask<Body>(path))
  const send = ({ method, path, payload }: Pick<Write, 'method' | 'path' | 'payload'>, key: string) => server.inject({
    method, url: `/tasks/api/${path}`, ...payload && { payload }, headers: method === 'POST' ? { 'idempotency-key': key } : {}
  })
  /** Repeats the request until it succeeds, because some connections recover later than others. */
  const made = async <Body>(method: 'POST' | 'PUT', path: string, payload?: object): Promise<Body> => {
    const key = randomUUID()
    return await waitFor(path, async () => {
      const answer = await send({ method, path, ...payload && { payload } }, key)
      if (answer.statusCode < 300) return answer.json<Body>()
      if (!isForNow(answer.statusCode, answer.body)) throw new Error(`${path}: ${answer.body}`)
      return null
    })
  }
  const count = async (query: string): Promise<number> => (await read<ExecutionPage>(`executions?${query}`)).total.value
  const detail = (id: string) => read<ExecutionDetail>(`executions/${id}`)
  const failed = async (name: string): Promise<string> => {
    const id = await waitFor(name, () => queueApp.enqueue('flaky', [name]))
    await waitFor('its failure', async () => (await detail(id)).error_group)
    return id
  }
  const groupState = async (group: string): Promise<string> =>
    (await read<{ items: ReadonlyArray<{ error_group: string; state: string }> }>('failures?limit=200')).items
      .find(each => each.error_group === group)!.state
  const queue = async (name: string): Promise<Queue> =>
    (await read<Queue[]>('queues')).find(each => each.task_name === name)!
  const schedule = (description: string) => made<Schedule>('POST', 'schedules/cron', { task_name: PARKED, cron: '0 6 1 1 *', description })
  const schedules = async (description: string): Promise<number> =>
    (await read<Schedule[]>('schedules')).filter(each => each.description === description).length
  const started: string[] = []
  const bulk = async (payload: object): Promise<string> => {
    const { operation_id: id } = await made<BulkOperation>('POST', 'bulk', { dry_run: false, ...payload })
    started.push(id)
    return id
  }
  const isIn = (...states: string[]) => async (id: string): Promise<number> =>
    Number(states.includes((await read<BulkOperation>(`bulk/${id}`)).state))

  return {
    send,
    /** Reads a second time after a pause, because the last message to the store may not take effect at once. */
    async steady({ times }: Write): Promise<number> {
      await times()
      await sleep(100)
      return await times()
    },
    untilBack: () => waitFor('all reads to succeed', async () =>
      (await Promise.all(['stats', 'queues', 'schedules', 'failures', 'bulk', 'executions'].map(path => ask(path)))).every(Boolean)),
    /** Repeats the request like a client until it succeeds. */
    repeat: (name: string, write: Write, key: string) => waitFor(`${name} to be answered`, async () => {
      const { statusCode, body } = await send(write, key)
      if (statusCode < 300 || statusCode === write.isGone) return true
      if (!isForNow(statusCode, body)) throw new Error(`${name}: ${body}`)
      await sleep(300)
      return false
    }),
    async tidy() {
      for (const id of started.splice(0)) {
        await waitFor(`${id} to be over`, async () => (await send({ method: 'PUT', path: `bulk/${id}/abort` }, '')).statusCode !== 503)
      }
      for (const name of ['paused', 'resumed']) await made('PUT', `queues/${name}/resume`)
      await made('PUT', 'queues/limited/limits', { concurrency: null, rate: null })
    },
    async prepare(round: number): Promise<ReadonlyMap<string, Write>> {
      const own = (what: string): string => `${what}${String.fromCharCode(97 + round)}Error`
      const names = ['Retried', 'Edited', 'Deleted', 'Resolved', 'Reopened', 'Undone', 'Bulked']
      const failures = Object.fromEntries(await Promise.all(names.map(async name => [name, await failed(own(name))] as const)))
      const groupOf = async (name: string): Promise<string> => (await detail(failures[name]!)).error_group!
      const [resolved, reopened] = [await groupOf('Resolved'), await groupOf('Reopened')]
      await made('PUT', `failures/${reopened}/resolve`)
      const [cancelled, changed] = await waitFor(PARKED, () => queueApp.enqueueMany(PARKED, [[own('c')], [own('u')]]))
      await made('PUT', 'queues/resumed/pause')
      // Operations on these run until the round is over.
      await waitFor(SLOWLY, () => queueApp.enqueueMany(SLOWLY, Array.from({ length: 300 }, () => [])))
      const slow = () => bulk({ action: 'cancel', filter: { task_name: SLOWLY }, rate: 1 })
      const [suspended, goingOn, aborted] = [await slow(), await slow(), await slow()]
      await made('PUT', `bulk/${goingOn}/suspend`)
      const undone = await bulk({ action: 'resolve', filter: { task_name: 'flaky', error_group: await groupOf('Undone') } })
      await waitFor('its end', () => isIn('done')(undone))
      const ids = Object.fromEntries(await Promise.all(['edited', 'on', 'off', 'run', 'gone'].map(async what =>
        [what, (await schedule(own(what))).schedule_id] as const)))
      await made('PUT', `schedules/${ids['on']}/disable`)
      const scheduleOf = (what: string) => read<Schedule>(`schedules/${ids[what]}`)
      const retriesOf = async (name: string) => (await detail(failures[name]!)).retried_by.length
      const flaky = (name: string) => `executions/${failures[name]}`
      return new Map<string, Write>(Object.entries({
        run: {
          method: 'POST', path: `tasks/${PARKED}/run`, payload: { args: [own('run')] },
          times: () => count(`task_name=${PARKED}&search=${own('run')}`)
        },
        retry: { method: 'POST', path: `${flaky('Retried')}/retry`, times: () => retriesOf('Retried') },
        'edit and retry': { method: 'POST', path: `${flaky('Edited')}/retry`, payload: { args: ['x'] }, times: () => retriesOf('Edited') },
        cancel: {
          method: 'POST', path: `executions/${cancelled}/cancel`,
          times: async () => Number((await detail(cancelled!)).status === 'cancelled')
        },
        change: {
          method: 'PATCH', path: `executions/${changed}`, payload: { priority: 9 },
          times: async () => Number((await detail(changed!)).priority === 9)
        },
        delete: {
          method: 'DELETE', path: flaky('Deleted'), isGone: 410,
          times: async () => Number((await read<{ code?: string }>(flaky('Deleted'))).code === 'EXECUTION_DELETED')
        },
        pause: { method: 'PUT', path: 'queues/paused/pause', times: async () => Number((await queue('paused')).state === 'paused') },
        resume: { method: 'PUT', path: 'queues/resumed/resume', times: async () => Number((await queue('resumed')).state === 'running') },
        limit: {
          method: 'PUT', path: 'queues/limited/limits', payload: { concurrency: 3 },
          times: async () => Number((await queue('limited')).limits?.concurrency === 3)
        },
        resolve: {
          method: 'PUT', path: `failures/${resolved}/resolve`, times: async () => Number(await groupState(resolved) === 'resolved')
        },
        reopen: { method: 'PUT', path: `failures/${reopened}/reopen`, times: async () => Number(await groupState(reopened) === 'open') },
        bulk: {
          method: 'POST', path: 'bulk',
          payload: { action: 'retry', filter: { execution_ids: [failures['Bulked']] }, dry_run: false, reason: own('b') },
          times: async () =>
            (await read<{ items: BulkOperation[] }>('bulk?limit=200')).items.filter(each => each.reason === own('b')).length
        },
        'suspend bulk': { method: 'PUT', path: `bulk/${suspended}/suspend`, times: () => isIn('suspended')(suspended) },
        'resume bulk': { method: 'PUT', path: `bulk/${goingOn}/resume`, times: () => isIn('running')(goingOn) },
        'abort bulk': { method: 'PUT', path: `bulk/${aborted}/abort`, times: () => isIn('aborted')(aborted) },
        'undo bulk': { method: 'PUT', path: `bulk/${undone}/undo`, times: () => isIn('undoing', 'undone')(undone) },
        'create schedule': {
          method: 'POST', path: 'schedules/cron', payload: { task_name: PARKED, cron: '0 6 1 1 *', description: own('new') },
          times: () => schedules(own('new'))
        },
        'change schedule': {
          method: 'PATCH', path: `schedules/${ids['edited']}`, payload: { description: own('other') }, times: () => schedules(own('other'))
        },
        enable: { method: 'PUT', path: `schedules/${ids['on']}/enable`, times: async () => Number((await scheduleOf('on')).enabled) },
        disable: { method: 'PUT', path: `schedules/${ids['off']}/disable`, times: async () => Number(!(await scheduleOf('off')).enabled) },
        'run schedule': { method: 'POST', path: `schedules/${ids['run']}/run`, times: () => count(`schedule_id=${ids['run']}`) },
        'delete schedule': {
          method: 'DELETE', path: `schedules/${ids['gone']}`, isGone: 404, times: async () => 1 - await schedules(own('gone'))
        }
      } satisfies Record<string, Write>))
    }
  }
}
