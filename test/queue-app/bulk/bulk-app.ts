import fastify from 'fastify'
import type { Test } from 'tap'
import { isTaskDashboardError } from '../../../lib/errors.ts'
import { dashboardPlugin, QueueApp, type DashboardOptions } from '../../../lib/index.ts'
import type { BulkItem, BulkItemPage, BulkOperation } from '../../../schemas/bulk.ts'
import { waitFor } from '../../support/wait-for.ts'

export const FLAKY = 'mail:send'

/** A task that fails until it is fixed, and a dashboard for it. */
export async function openBulk(t: Test, url: string, options: Partial<DashboardOptions> = {}) {
  const queueApp = QueueApp.fromUrls({ broker: url })
  const ran: unknown[] = []
  const state = { isMended: false }
  queueApp.task(FLAKY, async (what: unknown) => {
    if (!state.isMended) throw new Error(`not sent to ${String(what)}`)
    ran.push(what)
  }, { concurrency: 20 })
  queueApp.task('other', async () => { throw new TypeError('other') }, { concurrency: 20 })
  await queueApp.start()
  t.teardown(() => queueApp.stop())
  const server = fastify()
  await server.register(dashboardPlugin, {
    prefix: '/tasks', queueApp, identify: () => 'ada', ...'authorize' in options ? {} : { access: 'host' as const }, ...options
  } as DashboardOptions)
  t.teardown(() => server.close())

  const read = async <Body>(path: string) => (await server.inject(`/tasks/api/${path}`)).json<Body>()
  return {
    queueApp, server, ran, state, read,
    post: (payload: object, headers: Record<string, string> = {}) =>
      server.inject({ method: 'POST', url: '/tasks/api/bulk', payload, headers }),
    change: (id: string, verb: string) => server.inject({ method: 'PUT', url: `/tasks/api/bulk/${id}/${verb}` }),
    operation: (id: string) => read<BulkOperation>(`bulk/${id}`),
    async until(id: string, ...states: readonly BulkOperation['state'][]): Promise<BulkOperation> {
      let found: BulkOperation | undefined
      await waitFor(`the operation to be ${states.join(' or ')}`, async () => {
        found = await read<BulkOperation>(`bulk/${id}`)
        return states.includes(found.state) && (found.finished_at !== null || found.state === 'suspended')
      })
      return found!
    },
    async items(id: string): Promise<BulkItem[]> {
      const items: BulkItem[] = []
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: BulkItemPage = await read<BulkItemPage>(`bulk/${id}/items?limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`)
        if (!('items' in page)) throw new Error(JSON.stringify(page))
        items.push(...page.items)
        cursor = page.next_cursor
      }
      return items
    },
    /** Enqueues executions and waits until the history has the same number of failures. */
    async fail(count: number, task = FLAKY, total = count): Promise<string[]> {
      const batch = Array.from({ length: count }, (_, index): [string] => [`${task} ${index}`])
      const ids = await waitFor('them to be accepted', () => queueApp.enqueueMany(task, batch).catch((error: unknown) => {
        // Happens on a very busy machine. With this code, none was added.
        if (isTaskDashboardError(error) && error.code === 'BROKER_UNAVAILABLE') return null
        throw error
      }))
      await waitFor('all to fail', async () =>
        // On a very busy machine the broker may not respond in time.
        ((await read<{ total?: { value: number } }>(`executions?status=failed&task_name=${encodeURIComponent(task)}&limit=1`))
          .total?.value ?? 0) >= total)
      return ids
    }
  }
}
