/**
 * Queues of other code: how long it takes to attach to many, what reading them costs beside own tasks and bull-board, and whether all is
 * recorded while thousands of jobs finish a second and are removed at once.
 * Run: npm run bench existing-queues [queues] [jobs] [finishes a second] [seconds]
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import { FastifyAdapter } from '@bull-board/fastify'
import { Queue } from 'bullmq'
import Fastify from 'fastify'
import { Redis } from 'ioredis'
import { inChunks } from '../lib/collections/in-chunks.ts'
import { dashboardPlugin, QueueApp } from '../lib/index.ts'
import { createRedisServer } from '../test/support/servers/redis-server.ts'
import { waitFor } from '../test/support/wait-for.ts'
import type { Owned } from './existing-queues-owner.ts'
import { measureLoad } from './load.ts'

const QUEUES = Number(process.argv[2] ?? 500)
/** None: only the finishes are measured. */
const JOBS = Number(process.argv[3] ?? 1_000_000)
const RATE = Number(process.argv[4] ?? 5_000)
const SECONDS = Number(process.argv[5] ?? 20)
/** With finishes. */
const OWNED_QUEUES = 10
const ROUNDS = 3
const ADDED_AT_A_TIME = 1_000
/** A share of a core: what 500 queues take while nobody asks. */
const QUIET_SHARE = 0.2
/** It takes seconds for each answer. */
const BOARD_SECONDS = 15

const names = Array.from({ length: QUEUES }, (_, index) => `report-${index}`)
if (JOBS > 0) await measureReads()
await measureFinishes()

async function measureReads(): Promise<void> {
  const server = await createRedisServer({ persistent: false })
  const queues = names.map(name => new Queue(name, { connection: { url: server.url } }))
  const own = QueueApp.fromUrls({ broker: server.url, namespace: 'own' })
  for (const name of names) own.task(name, async () => {})
  await own.start()
  // As many jobs on each side, none of which runs.
  for (const [index, queue] of queues.entries()) {
    for (const chunk of inChunks(Array.from({ length: Math.ceil(JOBS / QUEUES) }, (_, to) => to), ADDED_AT_A_TIME))
      await queue.addBulk(chunk.map(to => ({ name: 'send', data: { to } })))
    // Nor do these, and they wait as the others do.
    await own.operations.pauseQueue(names[index]!)
    await own.enqueueMany(names[index]!, Array.from({ length: Math.ceil(JOBS / QUEUES) }, (_, to) => [to]))
  }

  const begunAt = performance.now()
  const observing = QueueApp.fromQueues({ broker: server.url })
  await observing.start()
  await waitFor('all queues', async () => (await observing.monitoring.tasks()).length === QUEUES)
  const since = (): string => `${((performance.now() - begunAt) / 1_000).toFixed(2)} s`
  console.log(`| attached to ${QUEUES} queues with ${JOBS} jobs | ${since()} |`)
  // It looks at millions of keys and events in the background, and a core that is busy with them would be measured too.
  await waitFor('the end of the work in the background', async () => await coreShare() < QUIET_SHARE, 300_000)
  console.log(`| all keys looked at, and all events that are left read | ${since()} |`)

  const fastify = Fastify()
  await fastify.register(dashboardPlugin, { prefix: '/own', queueApp: own, access: 'host' })
  await fastify.register(dashboardPlugin, { prefix: '/observed', queueApp: observing, access: 'host' })
  const board = new FastifyAdapter()
  board.setBasePath('/board')
  createBullBoard({ queues: queues.map(queue => new BullMQAdapter(queue)), serverAdapter: board })
  await fastify.register(board.registerPlugin(), { prefix: '/board' })
  const address = await fastify.listen({ port: 0, host: '127.0.0.1' })
  for (const [what, path] of [
    ['statistics', '/api/stats'], ['first page', '/api/executions?limit=50&from=%t'],
    ['first page of pending', '/api/executions?status=pending&limit=50&from=%t']
  ] as const)
    await compare(what, { own: `${address}/own${path}`, observed: `${address}/observed${path}` })
  // Last, because the server works on its requests for seconds after they were given up.
  console.log(`| bull-board's overview | ${(1_000 / await medianOf(`${address}/board/api/queues`, BOARD_SECONDS)).toFixed(0)} ms |`)
  await fastify.close()
  await Promise.all([...queues.map(queue => queue.close()), observing.stop(), own.stop()])
  await server.remove()
}

/** The share of a core that this process takes during a second. */
async function coreShare(): Promise<number> {
  const before = process.cpuUsage()
  await sleep(1_000)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

/** Both in turn; the median of the rounds. */
async function compare(what: string, urls: Record<'own' | 'observed', string>): Promise<void> {
  const rates: Record<'own' | 'observed', number[]> = { own: [], observed: [] }
  for (let round = 0; round < ROUNDS; round++)
    for (const side of ['own', 'observed'] as const) rates[side].push(await medianOf(urls[side], 3, 1))
  const [own, observed] = [middle(rates.own), middle(rates.observed)]
  const ms = (rate: number): string => `${(1_000 / rate).toFixed(2)} ms`
  console.log(`| ${what} | own ${ms(own)} | observed ${ms(observed)} (${(own / observed).toFixed(2)}×) |`)
}

/** Requests a second. */
async function medianOf(url: string, seconds: number, rounds = ROUNDS): Promise<number> {
  const rates: number[] = []
  for (let round = 0; round < rounds; round++) rates.push((await measureLoad({ url, connections: 1, seconds })).requestsPerSecond)
  return middle(rates)
}

function middle(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!
}

/** The same load in turn: alone, then observed. The owner's workers are in a process of their own, as they are in production. */
async function measureFinishes(): Promise<void> {
  const rounds: Array<Record<'alone' | 'observed', Finishes> & { readonly lowest: Finishes | null }> = []
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({
      alone: await runFinishes(false), observed: await runFinishes(true),
      // As on a machine of its own: it takes only what the owner and the server leave. Giving the owner its priority back takes root.
      lowest: process.getuid?.() === 0 ? await runFinishes(true, true) : null
    })
  }
  const pickUps = rounds.map(({ alone, observed, lowest }) => [alone, observed, lowest].map(each => each?.pickUpP99 ?? NaN))
  const [alone, observed, lowest] = [0, 1, 2].map(column => middle(pickUps.map(row => row[column]!))) as [number, number, number]
  const ratio = (ms: number): string => `${ms.toFixed(0)} ms (${(ms / alone).toFixed(2)}×)`
  console.log(`| pick-up p99, median of ${ROUNDS} | alone ${alone.toFixed(0)} ms | observed ${ratio(observed)} | with the lowest ` +
    `priority ${ratio(lowest)} |`)
  console.log(`| in each round | ${pickUps.map(row => row.map(ms => ms.toFixed(0)).join(', ')).join(' | ')} |`)
  const serverSeconds = (side: 'alone' | 'observed'): number => middle(rounds.map(round => round[side].serverSeconds))
  console.log(`| processor time of the server | alone ${serverSeconds('alone').toFixed(2)} s | observed ` +
    `${serverSeconds('observed').toFixed(2)} s (${(100 * (serverSeconds('observed') / serverSeconds('alone') - 1)).toFixed(1)} % more) |`)
  for (const each of rounds.flatMap(({ observed, lowest }) => lowest === null ? [observed] : [observed, lowest])) {
    console.log(`| finished and removed | ${each.finished} (${Math.round(each.finished / each.seconds)}/s) | in the history ` +
      `${each.recorded} after ${each.recordedAfter.toFixed(1)} s more | ${each.ownMicroseconds.toFixed(0)} µs of our process for each | ` +
      `connections to the server ${each.connections} |`)
  }
}

type Finishes = Awaited<ReturnType<typeof runFinishes>>

async function runFinishes(isObserved: boolean, isLowest = false) {
  const server = await createRedisServer({ persistent: false })
  if (isLowest) setPriority(19)
  const backend = await createRedisServer({ persistent: false })
  const redis = new Redis(server.url)
  const clientsOf = async () => Number(/connected_clients:(\d+)/.exec(await redis.info('clients'))![1])
  const secondsOf = async () => Number(/used_cpu_user_main_thread:([\d.]+)/.exec(await redis.info('cpu'))![1])
  // A queue is there from when its owner connects.
  const known = names.slice(0, OWNED_QUEUES).map(name => new Queue(name, { connection: { url: server.url } }))
  await Promise.all(known.map(queue => queue.waitUntilReady()))
  await Promise.all(known.map(queue => queue.close()))
  const before = await clientsOf()
  const observing = isObserved ? QueueApp.fromQueues({ broker: server.url }, { backend: backend.url }) : null
  await observing?.start()
  const connections = await clientsOf() - before
  const usedBefore = await secondsOf()
  const ownBefore = process.cpuUsage()
  const owner = fork(
    fileURLToPath(new URL('existing-queues-owner.js', import.meta.url)), [server.url, RATE, SECONDS, OWNED_QUEUES].map(String)
  )
  if (isLowest) setPriority(owner.pid!, 0)
  const failed = once(owner, 'exit').then(() => { throw new Error('The owner of the queues failed') })
  const [owned] = await Promise.race([once(owner, 'message'), failed]) as [Owned]
  const serverSeconds = await secondsOf() - usedBefore
  let recorded = 0
  const endedAt = performance.now()
  if (observing !== null) {
    const count = async () => (await observing.monitoring.statistics()).executions.success
    await waitFor('the history', async () => await count() >= owned.finished, 60_000).catch(() => {})
    recorded = await count()
    const { message } = (await observing.monitoring.health()).components.backend
    if (recorded < owned.finished) console.log(`missing: ${owned.finished - recorded}; health: ${message}`)
  }
  const recordedAfter = (performance.now() - endedAt) / 1_000
  const { user, system } = process.cpuUsage(ownBefore)
  await observing?.stop()
  redis.disconnect()
  if (isLowest) setPriority(0)
  await Promise.all([server.remove(), backend.remove()])
  return { ...owned, serverSeconds, recorded, recordedAfter, connections, ownMicroseconds: (user + system) / owned.finished }
}
