/** The owner of existing queues in existing-queues.ts: adds jobs at a rate, works on them, and sends its measurements to its parent. */
import { Queue, Worker } from 'bullmq'
import { waitFor } from '../test/support/wait-for.ts'

/** The measurements that the parent receives. */
export interface Owned {
  readonly pickUpP99: number
  readonly finished: number
  readonly seconds: number
}

const url = process.argv[2]!
const [RATE, SECONDS, QUEUES] = process.argv.slice(3).map(Number) as [number, number, number]
process.send!(await own())
process.disconnect()

async function own(): Promise<Owned> {
  const connection = { url, maxRetriesPerRequest: null }
  const queues = Array.from({ length: QUEUES }, (_, index) =>
    new Queue(`report-${index}`, { connection, defaultJobOptions: { removeOnComplete: true } }))
  await Promise.all(queues.map(queue => queue.waitUntilReady()))
  const pickUps: number[] = []
  let finished = 0
  const workers = queues.map(({ name }) => {
    const worker = new Worker(name, async job => { pickUps.push(Date.now() - job.timestamp) }, { connection, concurrency: 50 })
    worker.on('completed', () => { finished++ })
    return worker
  })
  const begunAt = performance.now()
  let added = 0
  while (performance.now() - begunAt < SECONDS * 1_000) {
    const due = Math.floor((performance.now() - begunAt) / 1_000 * RATE) - added
    const each = Math.floor(due / queues.length)
    if (each > 0) {
      await Promise.all(queues.map(queue => queue.addBulk(Array.from({ length: each }, (_, to) => ({ name: 'send', data: { to } })))))
      added += each * queues.length
    }
    await new Promise(resolve => { setTimeout(resolve, 20) })
  }
  await waitFor('the workers', async () => finished >= added, 300_000)
  const seconds = (performance.now() - begunAt) / 1_000
  await Promise.all([...workers, ...queues].map(each => each.close()))
  pickUps.sort((one, other) => one - other)
  return { pickUpP99: pickUps[Math.floor(pickUps.length * 0.99)]!, finished, seconds }
}
