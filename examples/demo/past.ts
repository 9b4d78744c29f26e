import { v7 } from 'uuid'
import { createResultBackend } from '../../lib/backend/create-result-backend.ts'
import { queueNameFromTask } from '../../lib/engine/jobs/queue-name.ts'
import type { FinishedExecution } from '../../lib/execution.ts'
import { createStore } from '../../lib/stores/create-store.ts'
import { failures } from './failures.ts'

const HOUR_MS = 3_600_000
const DAYS = 7
const BATCH = 500
const NOTE = 'Made up for the demo: this execution never ran.'
const WORKER = 'made-up-for-the-demo'

interface PastTask {
  readonly name: string
  /** The function name in the stack, so that live failures fall into the same group. */
  readonly handler: string
  /** Share of the executions in percent. */
  readonly share: number
  readonly took: readonly [fromMs: number, toMs: number]
  readonly attempts: number
  readonly retryDelayMs: number
  readonly args: (order: number) => unknown[]
  readonly result: (order: number) => unknown
  /** One in `of` fails, during the period that `hours` gives in hours before now. */
  readonly failures: ReadonlyArray<{
    readonly of: number; readonly hours: readonly [from: number, to: number]; readonly error: (order: number) => Error
  }>
}

const WEEK = [DAYS * 24, 0] as const

const TASKS: readonly PastTask[] = [
  {
    name: 'email:send', handler: 'sendEmail', share: 38, took: [80, 400], attempts: 4, retryDelayMs: 5_000,
    args: order => [`customer-${order % 400}@example.com`, `Thank you for order ${order}`],
    result: order => ({ messageId: `<${order}@shop.example>` }),
    failures: [
      { of: 70, hours: WEEK, error: () => failures.noMailbox('emil@exmaple.com') },
      { of: 9, hours: [90, 82], error: order => failures.greylisted(`customer-${order % 400}@example.com`) }
    ]
  },
  {
    name: 'webhooks:deliver', handler: 'deliverWebhook', share: 28, took: [50, 900], attempts: 3, retryDelayMs: 3_000,
    args: () => ['https://crm.example/inbound', { event: 'order.created' }], result: () => ({ status: 204 }),
    failures: [
      { of: 16, hours: [5, 0], error: () => failures.refused('crm.example') },
      { of: 100, hours: WEEK, error: () => failures.unavailable('api.payments.example') }
    ]
  },
  {
    name: 'invoices:generate', handler: 'generateInvoice', share: 22, took: [240, 1_000], attempts: 1, retryDelayMs: 0,
    args: order => [order], result: order => ({ file: `invoices/2026/${order}.pdf`, pages: 1 + order % 3 }),
    failures: [{ of: 60, hours: [40, 0], error: failures.noVatRate }]
  },
  {
    name: 'images:resize', handler: 'resizeImage', share: 9, took: [120, 540], attempts: 1, retryDelayMs: 0,
    args: order => [`products/${order}.jpg`, [320, 640, 1280]],
    result: order => [320, 640, 1280].map(width => `products/${order}-${width}.webp`),
    failures: [{ of: 25, hours: WEEK, error: order => failures.colours(`products/${order}.jpg`) }]
  },
  {
    name: 'sync inventory', handler: 'syncInventory', share: 2, took: [1_600, 4_800], attempts: 2, retryDelayMs: 10_000,
    args: () => ['warehouse-1'], result: order => ({ changed: order % 40 }),
    failures: [{ of: 4, hours: [66, 60], error: order => failures.deadlock(order % 8) }]
  },
  {
    name: 'catalogue:export', handler: 'exportCatalogue', share: 1, took: [3_000, 9_000], attempts: 1, retryDelayMs: 0,
    args: () => ['de'], result: () => ({ products: 41_207 }),
    failures: [{ of: 6, hours: [20, 0], error: failures.bucketFull }]
  }
]

/**
 * Writes seven days of generated history, each execution labelled as such, to the result backend before the queue app opens it, so that
 * charts and failure groups have something to show. It bypasses the queue app, which only records what really ran.
 */
export async function makeUpThePast(url: string, namespace: string): Promise<number> {
  const store = createStore(url, { namespace, role: 'result backend', onError: error => console.warn(error.message) })
  await store.start()
  try {
    const backend = createResultBackend(store)
    await backend.start()
    const executions = finishedBefore(Date.now())
    for (let first = 0; first < executions.length; first += BATCH) await backend.record(executions.slice(first, first + BATCH))
    await backend.stop()
    return executions.length
  } finally {
    await store.stop()
  }
}

function finishedBefore(now: number): FinishedExecution[] {
  const executions: FinishedExecution[] = []
  for (let hoursAgo = DAYS * 24 - 1; hoursAgo >= 0; hoursAgo--) {
    const count = countIn(now - hoursAgo * HOUR_MS, hoursAgo)
    // Spread evenly, so that every minute of the last hour has some.
    for (let i = 0; i < count; i++) executions.push(makeUp(now - (hoursAgo + (i + Math.random()) / count) * HOUR_MS, hoursAgo))
  }
  return executions
}

/** Executions per hour: quiet nights, busy evenings, and a sale that has just begun. */
function countIn(at: number, hoursAgo: number): number {
  if (hoursAgo < 5) return Math.round(360 / 1.6 ** hoursAgo)
  return Math.round(6 + 16 * Math.max(0, Math.sin((new Date(at).getHours() - 6) / 18 * Math.PI)))
}

function makeUp(finishedAtMs: number, hoursAgo: number): FinishedExecution {
  const task = pickTask()
  const order = 10_000 + Math.floor(Math.random() * 90_000)
  const error = task.failures.find(({ of, hours: [from, to] }) =>
    hoursAgo < from && hoursAgo >= to && Math.random() * of < 1)?.error(order) ??
    null
  // Some succeed on the second attempt.
  const attempt = error ? task.attempts : task.attempts > 1 && Math.random() < 0.05 ? 2 : 1
  const [finishedAt, durationMs] = [Math.floor(finishedAtMs), Math.round(between(task.took))]
  const startedAt = finishedAt - durationMs
  const waitMs = Math.round(4 + 60 * Math.random() ** 3)
  const submittedAt = startedAt - waitMs - (attempt - 1) * (durationMs + task.retryDelayMs)
  const common = task.failures[0]!.error(order)
  return {
    executionId: v7({ msecs: submittedAt }), taskName: task.name, queue: queueNameFromTask(task.name),
    status: error ? 'failed' : 'success', state: error ? 'failed' : 'completed',
    attempt, maxAttempts: task.attempts, priority: task.name === 'email:send' ? 1 : 0, scheduleId: null, retryOf: null, workerId: WORKER,
    submittedAt, startedAt, finishedAt, waitMs, durationMs, progress: null,
    error: error && toFailure(error, task), errorGroup: null, args: task.args(order), result: error ? null : task.result(order),
    attempts: Array.from({ length: attempt }, (_, index) => {
      const earlier = (attempt - 1 - index) * (durationMs + task.retryDelayMs)
      const failed = index < attempt - 1 ? error ?? common : error
      const times = { startedAt: startedAt - earlier, finishedAt: finishedAt - earlier }
      return { attempt: index + 1, ...times, workerId: WORKER, error: failed && toFailure(failed, task) }
    }),
    logs: [NOTE], truncated: []
  }
}

function toFailure({ name, message }: Error, { handler }: PastTask) {
  return { type: name, message, stack: `${name}: ${message}\n    at ${handler} (examples/demo/tasks.ts)` }
}

function pickTask(): PastTask {
  let left = Math.random() * 100
  return TASKS.find(({ share }) => (left -= share) < 0) ?? TASKS[0]!
}

function between([from, to]: readonly [number, number]): number {
  // Most are quick, a few are slow.
  return from + (to - from) * Math.random() ** 1.6
}
