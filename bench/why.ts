/**
 * How long it takes to find out why an execution does not run, with up to 100,000 others ahead of it and 1,000 tasks, half of which have
 * something in their queue. On Redis and on PostgreSQL. Run: npm run bench why
 */
import { QueueApp } from '../lib/index.ts'
import { createPostgresServer } from '../test/support/servers/postgres-server.ts'
import { createRedisServer } from '../test/support/servers/redis-server.ts'

const TASKS = 1_000
const AHEAD = 100_000
const CALLS = 200
const BATCH = 5_000

for (const [kind, server] of [
  ['Redis', await createRedisServer({ persistent: false })], ['PostgreSQL', await createPostgresServer()]
] as const) {
  await measure(kind, server.url)
  await server.remove()
}

async function measure(kind: string, url: string): Promise<void> {
  const names = Array.from({ length: TASKS }, (_, index) => `task ${index}`)
  const queueApp = QueueApp.fromUrls({ broker: url, tasks: Object.fromEntries(names.map(name => [name, {}])) })
  await queueApp.start()
  const ids = await queueApp.enqueueMany('task 0', Array.from({ length: BATCH }, () => []))
  for (let sent = BATCH; sent < AHEAD; sent += BATCH) await queueApp.enqueueMany('task 0', Array.from({ length: BATCH }, () => []))
  const last = await queueApp.enqueue('task 0', [])
  const urgent = await queueApp.enqueue('task 0', [], { priority: 5 })
  const delayed = await queueApp.enqueue('task 1', [], { delayMs: 3_600_000 })
  for (const name of names.slice(2, TASKS / 2)) await queueApp.enqueue(name, [])

  console.log(`${kind}: ${TASKS} tasks, ${AHEAD} executions wait`)
  await report('the next of its queue', ids[0]!)
  await report(`behind ${BATCH - 1}`, ids.at(-1)!)
  await report(`behind ${AHEAD}`, last)
  await report(`behind ${AHEAD + 1}, with a priority`, urgent)
  await report('delayed', delayed)
  await report('an unknown id', 'there-is-none')
  await queueApp.stop()

  async function report(what: string, executionId: string): Promise<void> {
    const times: number[] = []
    for (let call = 0; call < CALLS; call++) {
      const start = performance.now()
      await queueApp.monitoring.why(executionId)
      times.push(performance.now() - start)
    }
    times.sort((one, other) => one - other)
    const at = (share: number): string => `${times[Math.min(CALLS - 1, Math.floor(CALLS * share))]!.toFixed(2)} ms`
    console.log(`  ${what}: p50 ${at(0.5)}, p95 ${at(0.95)}, longest ${at(1)}`)
  }
}
