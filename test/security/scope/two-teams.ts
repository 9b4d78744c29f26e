import fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import { dashboardPlugin, QueueApp } from '../../../lib/index.ts'
import { testNamespace } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

/** The teams' marks occur nowhere else. They are words, because failures that differ only in ids belong to one group. */
export const TEAMS = { ana: 'anaquil', ben: 'benxori' } as const
export type Team = keyof typeof TEAMS
export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

type Request = [method: Method, path: string, payload?: object, headers?: Record<string, string>]

/** The resources of one team, by the nouns of the API. */
export interface Belongings {
  readonly tasks: string[]
  readonly executions: string[]
  readonly schedules: string[]
  readonly failures: string[]
  readonly queues: string[]
  readonly workers: string[]
  readonly bulk: string[]
}

export interface World {
  readonly server: FastifyInstance
  ask: (...request: [who: Team | 'all' | 'nobody', ...Request]) => Promise<LightMyRequestResponse>
  belongingsOf(team: Team): Promise<Belongings>
  /** The group in which executions of both teams failed. */
  readonly sharedGroup: string
}

/**
 * A queue app in which two teams do the same, and its dashboard. Each team sees its own tasks. Every text has the mark of its team.
 * @param isAlone both teams' tasks run in one process, because the store has only one
 */
export async function twoTeams(t: Test, broker: string, teams: readonly Team[], isAlone: boolean): Promise<World> {
  const namespace = testNamespace()
  const apps = new Map<Team, QueueApp>()
  for (const team of teams) {
    const known = [...apps.values()][0]
    const app = isAlone && known ? known : QueueApp.fromUrls({ broker, namespace, appName: 'both', stopGraceMs: 100, onError: () => {} })
    apps.set(team, app)
    registerTasks(app, TEAMS[team])
  }
  const started = [...new Set(apps.values())]
  for (const app of started) await app.start()
  const server = fastify()
  const [queueApp] = started
  await waitFor('the tasks of all processes', async () => (await queueApp!.monitoring.tasks()).length === teams.length * 5)
  await server.register(dashboardPlugin, {
    prefix: '/tasks', queueApp: queueApp!,
    authorize: () => true,
    identify: ({ headers }) => `person-of-${String(headers['x-team'])}`,
    scope({ headers: { 'x-team': who } }) {
      if (who === 'all') return null
      return name => name.startsWith(`${TEAMS[who as Team]}:`)
    }
  })
  t.teardown(async () => {
    await server.close()
    await Promise.all(started.map(app => app.stop()))
  })
  const ask: World['ask'] = (who, method, path, payload, more = {}) => server.inject({
    method, url: `/tasks${path}`, headers: { 'x-team': who, ...more }, ...payload && { payload }
  })
  for (const team of teams) await live(apps.get(team)!, TEAMS[team], (...rest) => ask('all', ...rest))

  const get = async <Answer>(path: string): Promise<Answer> => (await ask('all', 'GET', `/api${path}`)).json<Answer>()
  const groups = await get<{ items: Array<{ error_group: string; tasks: Array<{ name: string }> }> }>('/failures?limit=200')
  const isOf = (team: Team) => ({ name }: { name: string }) => name.startsWith(TEAMS[team])
  return {
    server, ask,
    sharedGroup: groups.items.find(({ tasks }) => teams.every(team => tasks.some(isOf(team))))!.error_group,
    async belongingsOf(team) {
      const mark = `${TEAMS[team]}:`
      const tasks = (await get<Array<{ name: string }>>('/tasks')).map(({ name }) => name).filter(name => name.startsWith(mark))
      const executions = await Promise.all(tasks.map(name =>
        get<{ items: Array<{ execution_id: string }> }>(`/executions?limit=200&task_name=${encodeURIComponent(name)}`)))
      const all = await get<Array<{ schedule_id: string; task_name: string }>>('/schedules')
      const queues = await get<Array<{ name: string; task_name: string }>>('/queues')
      const workers = await get<Array<{ worker_id: string; tasks: Array<{ name: string }> }>>('/workers')
      const { items: bulk } = await get<{ items: Array<{ operation_id: string; filter: { task_name: string } }> }>('/bulk')
      return {
        tasks,
        executions: executions.flatMap(({ items }) => items.map(each => each.execution_id)),
        schedules: all.filter(each => each.task_name.startsWith(mark)).map(each => each.schedule_id),
        failures: groups.items.filter(each => each.tasks.every(isOf(team))).map(each => each.error_group),
        queues: queues.filter(each => each.task_name.startsWith(mark)).map(each => each.name),
        workers: workers.filter(each => each.tasks.every(isOf(team))).map(each => each.worker_id),
        bulk: bulk.filter(each => each.filter.task_name.startsWith(mark)).map(each => each.operation_id)
      }
    }
  }
}

function registerTasks(app: QueueApp, mark: string): void {
  app.task(`${mark}:work`, async () => ({ made: `result ${mark}` }))
  app.task(`${mark}:fail`, async () => { throw new TypeError(`boom ${mark}`) })
  app.task(`${mark}:connect`, refuseConnection)
  app.task(`${mark}:idle`, async () => {})
  app.task(`${mark}:slow`, async (_mark: string) => new Promise(() => {}))
}

/** Throws the same failure wherever it is called. */
async function refuseConnection(): Promise<void> {
  throw new Error('connection refused')
}

/** Creates executions that run, fail and wait, a schedule, a pause, a decision, a cancellation, a retry and a refusal. */
async function live(app: QueueApp, mark: string, ask: (...request: Request) => Promise<LightMyRequestResponse>): Promise<void> {
  const reason = { 'audit-reason': `because-${mark}` }
  const done = async (...request: Request) => {
    const answer = await ask(...request)
    if (answer.statusCode >= 300) throw new Error(`${request[0]} ${request[1]}: ${answer.statusCode} ${answer.body}`)
    return answer.json<Record<string, string>>()
  }
  const args = [`arg ${mark}`]
  for (let i = 0; i < 3; i++) await app.enqueue(`${mark}:work`, args)
  for (let i = 0; i < 2; i++) await app.enqueue(`${mark}:fail`, args)
  await app.enqueue(`${mark}:connect`, args)
  await app.enqueue(`${mark}:slow`, args)
  await app.enqueue(`${mark}:idle`, args, { delayMs: 3_600_000 })
  const scoped = app.within(name => name.startsWith(mark)).monitoring
  await waitFor(`the executions of ${mark} to end`, async () => {
    const { executions } = await scoped.statistics()
    return executions.success === 3 && executions.failed === 3 && executions.running === 1
  })
  const cron = await done('POST', '/api/schedules/cron', {
    task_name: `${mark}:idle`, cron: '0 3 1 1 *', description: `every ${mark}`, args
  }, reason)
  await done('PUT', `/api/schedules/${cron['schedule_id']}/disable`, undefined, reason)
  const daily = { task_name: `${mark}:idle`, interval_ms: 86_400_000, description: `daily ${mark}` }
  await done('POST', '/api/schedules/interval', daily, reason)
  const later = await done('POST', `/api/tasks/${encodeURIComponent(`${mark}:idle`)}/run`, { args, delay_ms: 3_600_000 }, reason)
  await done('POST', `/api/executions/${later['execution_id']}/cancel`, { reason: `not now ${mark}` })
  const { groups } = await scoped.failureGroups({ taskName: `${mark}:fail` })
  await done('PUT', `/api/failures/${groups[0]!.errorGroup}/resolve`, { note: `known ${mark}` })
  await done('PUT', `/api/queues/${encodeURIComponent(`${mark}:idle`)}/pause`, { reason: `closed ${mark}` })
  await done('PUT', `/api/queues/${encodeURIComponent(`${mark}%3awork`)}/limits`, { concurrency: 3, reason: `narrowed ${mark}` })
  const unwanted = await app.enqueue(`${mark}:idle`, args, { delayMs: 3_600_000 })
  const { operation_id: operationId } = await done('POST', '/api/bulk', {
    action: 'cancel', filter: { task_name: `${mark}:idle`, execution_ids: [unwanted] }, dry_run: false, reason: `all of ${mark}`
  })
  await waitFor('the bulk operation to end', async () => (await scoped.bulk.find(operationId!))?.state === 'done')
  // Refused writes are recorded as well.
  await ask('POST', `/api/tasks/${encodeURIComponent(`${mark}:unknown`)}/run`, {}, reason)
}
