import { setTimeout as sleep } from 'node:timers/promises'
import { QueueApp } from '../../../lib/index.ts'
import type { BulkItem, BulkOverview } from '../../../lib/queue-app/bulk/bulk.ts'

/**
 * A process that works on bulk operations until it is killed. It runs no tasks, so that a kill interrupts only the operation. It starts an
 * operation if it is not given one, reports its progress, and sends the outcomes at the end.
 */
export type BulkMessage = { readonly overview: BulkOverview } | { readonly items: readonly BulkItem[] }

const [url, namespace, task, given] = process.argv.slice(2) as [string, string, string, string | undefined]
const RATE = 400
const LOOK_EVERY_MS = 100
const PAGE = 200

async function start(): Promise<QueueApp> {
  for (;;) {
    const queueApp = QueueApp.fromUrls({ broker: url, namespace, tasks: { [task]: {} }, onError() {} })
    if (await queueApp.start().then(() => true, () => false)) return queueApp
    // A store is down. A supervisor would restart the process.
    await sleep(500)
  }
}

const { monitoring, operations } = await start()
const send = (message: BulkMessage): void => { process.send!(message) }
const operationId = given ?? (await operations.bulk.create({
  action: 'retry', filter: { taskName: task }, taskNames: [task], tasksLeftOut: 0, rate: RATE
})).operationId
for (;;) {
  await sleep(LOOK_EVERY_MS)
  const overview = await monitoring.bulk.find(operationId).catch(() => null)
  if (overview === null) continue
  send({ overview })
  if (overview.state === 'done') break
}
const items: BulkItem[] = []
for (let cursor: string | null | undefined; cursor !== null;) {
  const page: Awaited<ReturnType<typeof monitoring.bulk.items>> | null =
    await monitoring.bulk.items(operationId, { limit: PAGE, ...cursor !== undefined && { cursor } }).catch(() => null)
  // The store is unavailable, or the machine is so busy that it misses a deadline.
  if (page === null) continue
  items.push(...page.items)
  cursor = page.nextCursor
}
send({ items })
