import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import { FastifyAdapter } from '@bull-board/fastify'
import { Queue } from 'bullmq'
import Fastify from 'fastify'
import { queueNameFromTask } from '../lib/engine/jobs/queue-name.ts'
import { dashboardPlugin, QueueApp } from '../lib/index.ts'
import { createRedisServer } from '../test/support/servers/redis-server.ts'
import { waitFor } from '../test/support/wait-for.ts'
import { measureLoad, type LoadResult } from './load.ts'

/**
 * Comparison with @bull-board/fastify, on the same Redis and the same executions, with 10 clients: a page of 50 failed executions out of
 * 200,000 in 5 tasks, and the overview of 200 tasks. Run: npm run bench bull-board [executions] [seconds]
 */
const EXECUTIONS = Number(process.argv[2] ?? 200_000)
const SECONDS = Number(process.argv[3] ?? 4)
const ROUNDS = 3
const CONNECTIONS = 10
/** With the workers of 200 tasks on two slow cores, more would not be confirmed in time. */
const ENQUEUED_AT_ONCE = 200

await onTasks(5, EXECUTIONS, async (address, task) => {
  const queue = encodeURIComponent(queueNameFromTask(task))
  await compare('page of 50 failed', {
    // A different time in each request, so that no response is shared.
    ours: `${address}/tasks/api/executions?status=failed&task_name=${encodeURIComponent(task)}&limit=50&from=%t`,
    theirs: `${address}/board/api/queues?activeQueue=${queue}&status=failed&page=1&jobsPerPage=50`
  })
})
await onTasks(200, 20_000, async address => {
  await compare('overview of 200 tasks', { ours: `${address}/tasks/api/stats`, theirs: `${address}/board/api/queues` })
})

async function onTasks(tasks: number, executions: number, measure: (address: string, task: string) => Promise<void>): Promise<void> {
  const server = await createRedisServer({ persistent: false })
  const queueApp = QueueApp.fromUrls({ broker: server.url })
  const names = Array.from({ length: tasks }, (_, index) => `report-${index}`)
  for (const name of names)
    queueApp.task(name, async (index: number) => {
      if (index % 10 === 0)
        throw new Error(`order ${index} has no address`)
    }, { concurrency: 20 })
  await queueApp.start()
  for (let done = 0; done < executions; done += ENQUEUED_AT_ONCE) {
    await Promise.all(Array.from({ length: ENQUEUED_AT_ONCE }, (_, i) =>
      queueApp.enqueue(names[(done + i) % tasks]!, [Math.floor((done + i) / tasks)])))
  }
  await waitFor('every execution in the history', async () => {
    const { success, failed } = (await queueApp.monitoring.statistics()).executions
    return success + failed >= executions
  }, 300_000)

  const fastify = Fastify()
  await fastify.register(dashboardPlugin, { prefix: '/tasks', queueApp, access: 'host' })
  const connection = { url: server.url }
  const queues = names.map(name => new Queue(queueNameFromTask(name), { connection, prefix: '{tasks}' }))
  const board = new FastifyAdapter()
  board.setBasePath('/board')
  createBullBoard({ queues: queues.map(queue => new BullMQAdapter(queue)), serverAdapter: board })
  await fastify.register(board.registerPlugin(), { prefix: '/board' })
  const address = await fastify.listen({ port: 0, host: '127.0.0.1' })
  await measure(address, names[0]!)
  await fastify.close()
  await Promise.all(queues.map(queue => queue.close()))
  await queueApp.stop()
  await server.remove()
}

async function compare(what: string, { ours, theirs }: { ours: string; theirs: string }): Promise<void> {
  const results = { ours: [] as LoadResult[], theirs: [] as LoadResult[] }
  for (let round = 0; round < ROUNDS; round++) {
    results.theirs.push(await measureLoad({ url: theirs, connections: CONNECTIONS, seconds: SECONDS }))
    results.ours.push(await measureLoad({ url: ours, connections: CONNECTIONS, seconds: SECONDS }))
  }
  const [mine, board] = [median(results.ours), median(results.theirs)]
  const [requests, bytes] = [mine.requestsPerSecond / board.requestsPerSecond, mine.bytes / board.bytes]
  const ratio = board.requestsPerSecond === 0
    ? `theirs answered none in ${SECONDS} s`
    : `${requests.toFixed(1)}× the requests, ${bytes.toFixed(2)} of the bytes`
  console.log(`| ${what} | ${toText(mine)} | ${toText(board)} | ${ratio} |`)
}

function toText({ requestsPerSecond, bytes, p50, p99 }: LoadResult): string {
  return `${Math.round(requestsPerSecond)}/s, ${(bytes / 1024).toFixed(1)} KB, p50 ${p50} ms, p99 ${p99} ms`
}

function median(results: readonly LoadResult[]): LoadResult {
  return results.toSorted((a, b) => a.requestsPerSecond - b.requestsPerSecond)[Math.floor(results.length / 2)]!
}
