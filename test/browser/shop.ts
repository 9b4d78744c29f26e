import fastify from 'fastify'
import type { Test } from 'tap'
import { v7 as uuid } from 'uuid'
import { dashboardPlugin, QueueApp, type DashboardOptions } from '../../lib/index.ts'
import { redisUrl } from '../support/servers/stores.ts'
import { waitFor } from '../support/wait-for.ts'

/** A queue app with executions in every status and schedules of both types, one of them defined in code and edited since. */
export interface Shop {
  readonly queueApp: QueueApp
  readonly counts: { readonly pending: number; readonly running: number; readonly success: number; readonly failed: number }
  /** Serves its dashboard; resolves to the address of the mount, without a trailing slash. */
  readonly serve: (options?: Omit<DashboardOptions, 'queueApp'>) => Promise<string>
}

/** Names and values that would execute, break the markup or overflow if anything treated them as more than text. */
export const HOSTILE = {
  task: '</script><img src=x onerror=alert(1)>',
  text: `<svg onload=alert(2)>"'\`\${alert(3)}\u202e rtl 🎉 ../..`,
  long: '字'.repeat(10_000)
}

export async function openShop(t: Test): Promise<Shop> {
  // A store in another process: Chromium on two cores leaves an embedded one too little time.
  const queueApp = QueueApp.fromUrls({ broker: await redisUrl(t) })
  let release = (): void => {}
  const released = new Promise<void>(resolve => { release = resolve })

  const send = queueApp.task(
    'email:send', async (to: string, subject: string) => ({ to, subject }), { description: 'Sends one email', retries: 2, retryDelay: 30 }
  )
  const charge = queueApp.task('invoices/charge', async (invoice: number): Promise<void> => {
    throw new RangeError(
    `invoice ${invoice} has no customer`
    )
  })
  const stay = queueApp.task('stay', async () => { await released }, { concurrency: 2 })
  const hostile = queueApp.task(
    HOSTILE.task, async (text: string): Promise<void> => { throw new TypeError(text) }, { description: HOSTILE.text }
  )

  await queueApp.createScheduler().scheduleCron('email:send', '0 8 * * 1', 'Weekly digest', { args: ['all@example.com', 'Digest'] })

  await queueApp.start()
  t.teardown(async () => {
    release()
    await queueApp.stop()
  })

  await Promise.all([
    ...Array.from({ length: 5 }, (_, index) => queueApp.enqueue(send, [`user-${index}@example.com`, 'Welcome'])),
    ...Array.from({ length: 3 }, (_, index) => queueApp.enqueue(charge, [index])),
    ...Array.from({ length: 4 }, (_, index) => queueApp.enqueue(send, [`later-${index}@example.com`, 'Later'], { delayMs: 3_600_000 })),
    queueApp.enqueue(stay),
    queueApp.enqueue(stay),
    queueApp.enqueue(hostile, [HOSTILE.text + HOSTILE.long])
  ])
  const counts = { pending: 4, running: 2, success: 5, failed: 4 }

  const schedules = [
    {
      taskName: 'email:send', timing: { cron: '0 7 * * 1-5', timezone: 'Europe/Berlin' }, description: 'Daily report',
      args: ['finance@example.com', 'Report']
    },
    { taskName: 'invoices/charge', timing: { intervalMs: 3_600_000, timezone: 'UTC' }, description: 'Charge due invoices', args: [1] },
    {
      taskName: HOSTILE.task, timing: { cron: '30 2 * * *', timezone: 'America/New_York' }, description: HOSTILE.text, args: [HOSTILE.text],
      enabled: false
    }
  ]
  // Like a repeated request: it finds the schedule that an unconfirmed request created.
  for (const schedule of schedules) {
    const operation = { id: uuid(), isRepeated: true }
    await waitFor('a schedule to be created', () => queueApp.operations.createSchedule(schedule, operation))
  }
  const fromCode = (await queueApp.monitoring.schedules()).find(schedule => schedule.description === 'Weekly digest')!
  await queueApp.operations.updateSchedule(fromCode.scheduleId, { cron: '30 8 * * 1' }, { by: 'ada' })

  await waitFor('every execution to have its status', async () => {
    const totals = await Promise.all(STATUSES.map(async status =>
      (await queueApp.monitoring.executions({ status, limit: 1 })).total.value))
    return STATUSES.every((status, index) => totals[index] === counts[status])
  })

  return {
    queueApp,
    counts,
    async serve(options = {}) {
      const server = fastify()
      await server.register(dashboardPlugin, { ...options, queueApp })
      const address = await server.listen({ host: '127.0.0.1', port: 0 })
      t.teardown(() => server.close())
      return address + (options.prefix ?? '').replace(/\/$/, '')
    }
  }
}

const STATUSES = ['pending', 'running', 'success', 'failed'] as const
