/**
 * Existing queues: how long it takes to attach to many, what reading them costs compared with own tasks and bull-board, and whether
 * every execution is recorded while thousands of jobs finish per second and are removed immediately.
 * Run: npm run bench existing-queues [queues] [jobs] [finishes per second] [seconds]
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import { FastifyAdapter } from '@bull-board/fastify'
import { Queue, QueueEvents } from 'bullmq'
import Fastify from 'fastify'
import { Redis } from 'ioredis'
import { inChunks } from '../lib/collections/in-chunks.ts'
import { dashboardPlugin, QueueApp } from '../lib/index.ts'
import { createRedisServer } from '../test/support/servers/redis-server.ts'
import { waitFor } from '../test/support/wait-for.ts'
import type { Owned } from './existing-queues-owner.ts'
import { measureLoad } from './load.ts'

const QUEUES = Number(process.argv[2] ?? 500)
/** With 0, only the finishes are measured. */
const JOBS = Number(process.argv[3] ?? 1_000_000)
const RATE = Number(process.argv[4] ?? 5_000)
const SECONDS = Number(process.argv[5] ?? 20)
/** Queues in which jobs finish. */
const OWNED_QUEUES = 10
const ROUNDS = 3
const ADDED_AT_A_TIME = 1_000
/** Share of a core. Below it, the background work is over: 500 queues need about this much while nothing is requested. */
const QUIET_SHARE = 0.2
/** Short, so that the busy process never keeps a core for long. */
const BUSY_EVERY_MS = 20
/** Longer than for the others, because bull-board takes seconds for each response. */
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
  // Both sides have the same number of jobs, none of which runs.
  for (const [index, queue] of queues.entries()) {
    for (const chunk of inChunks(Array.from({ length: Math.ceil(JOBS / QUEUES) }, (_, to) => to), ADDED_AT_A_TIME))
      await queue.addBulk(chunk.map(to => ({ name: 'send', data: { to } })))
    // The queue is paused, so that these jobs wait like the others.
    await own.operations.pauseQueue(names[index]!)
    await own.enqueueMany(names[index]!, Array.from({ length: Math.ceil(JOBS / QUEUES) }, (_, to) => [to]))
  }

  const begunAt = performance.now()
  const observing = QueueApp.fromQueues({ broker: server.url })
  await observing.start()
  await waitFor('all queues', async () => (await observing.monitoring.tasks()).length === QUEUES)
  const since = (): string => `${((performance.now() - begunAt) / 1_000).toFixed(2)} s`
  console.log(`| attached to ${QUEUES} queues with ${JOBS} jobs | ${since()} |`)
  // The app reads millions of keys and events in the background. A core that is busy with them would distort the measurements.
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
  // Last, because the server keeps working on these requests for seconds after the client has given up.
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

/** Measures both in turn, and prints the medians of the rounds. */
async function compare(what: string, urls: Record<'own' | 'observed', string>): Promise<void> {
  const rates: Record<'own' | 'observed', number[]> = { own: [], observed: [] }
  for (let round = 0; round < ROUNDS; round++)
    for (const side of ['own', 'observed'] as const) rates[side].push(await medianOf(urls[side], 3, 1))
  const [own, observed] = [middle(rates.own), middle(rates.observed)]
  const ms = (rate: number): string => `${(1_000 / rate).toFixed(2)} ms`
  console.log(`| ${what} | own ${ms(own)} | observed ${ms(observed)} (${(own / observed).toFixed(2)}×) |`)
}

/** The median of requests per second. */
async function medianOf(url: string, seconds: number, rounds = ROUNDS): Promise<number> {
  const rates: number[] = []
  for (let round = 0; round < rounds; round++) rates.push((await measureLoad({ url, connections: 1, seconds })).requestsPerSecond)
  return middle(rates)
}

function middle(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!
}

/** Runs the same load with each observer in turn. The owner's workers are in a process of their own, as they are in production. */
async function measureFinishes(): Promise<void> {
  const rounds: Array<Record<'alone' | 'observed' | 'busy' | 'listened', Finishes> & { readonly lowest: Finishes | null }> = []
  for (let round = 0; round < ROUNDS; round++) {
    const alone = await runFinishes(null)
    const observed = await runFinishes(observe)
    rounds.push({
      alone, observed, busy: await runFinishes(async () => keepBusy(observed.busyShare)), listened: await runFinishes(listen),
      // Like an observer on a machine of its own: it gets only the CPU time that the owner and the server leave. Only root may raise the
      // owner's priority again.
      lowest: process.getuid?.() === 0 ? await runFinishes(observe, true) : null
    })
  }
  const pickUps = rounds.map(({ alone, observed, busy, listened, lowest }) =>
    [alone, observed, busy, listened, lowest].map(each => each?.pickUpP99 ?? NaN))
  const [alone, ...others] = [0, 1, 2, 3, 4].map(column => middle(pickUps.map(row => row[column]!))) as [number, ...number[]]
  const [observed, busy, listened, lowest] = others.map(ms => `${ms.toFixed(0)} ms (${(ms / alone).toFixed(2)}×)`)
  console.log(`| pick-up p99, median of ${ROUNDS} | alone ${alone.toFixed(0)} ms | observed ${observed} | beside a process that is as ` +
    `busy, without a connection ${busy} | with BullMQ's QueueEvents ${listened} | observed with the lowest priority ${lowest} |`)
  console.log(`| observed, compared with that busy process | ${(others[0]! / others[1]!).toFixed(2)}× |`)
  console.log(`| in each round | ${pickUps.map(row => row.map(ms => ms.toFixed(0)).join(', ')).join(' | ')} |`)
  const serverSeconds = (side: 'alone' | 'observed' | 'listened'): number => middle(rounds.map(round => round[side].serverSeconds))
  const more = (side: 'observed' | 'listened'): string => `${serverSeconds(side).toFixed(2)} s ` +
    `(${(100 * (serverSeconds(side) / serverSeconds('alone') - 1)).toFixed(1)} % more)`
  console.log(`| processor time of the server | alone ${serverSeconds('alone').toFixed(2)} s | observed ${more('observed')} | ` +
    `with QueueEvents ${more('listened')} |`)
  for (const { observed, listened, lowest } of rounds) {
    for (const [by, each] of [['us', observed], ['us, with the lowest priority', lowest], ['QueueEvents', listened]] as const) {
      if (each === null) continue
      console.log(`| by ${by}: finished and removed | ${each.finished} (${Math.round(each.finished / each.seconds)}/s) | of these seen ` +
        `${each.seen} after ${each.seenAfter.toFixed(1)} s more | ${each.ownMicroseconds.toFixed(0)} µs of this process for each | ` +
        `connections to the server ${each.connections} |`)
    }
  }
}

interface Observer {
  /** The number of finishes it has seen. */
  seen(): Promise<number>
  stop(): Promise<unknown>
}

/** Records the history of everything that finishes. */
async function observe(broker: string, backend: string): Promise<Observer> {
  const app = QueueApp.fromQueues({ broker }, { backend })
  await app.start()
  return { seen: async () => (await app.monitoring.statistics()).executions.success, stop: () => app.stop() }
}

/** BullMQ's own listener, which receives each event and stores nothing. */
async function listen(broker: string): Promise<Observer> {
  let seen = 0
  const all = names.slice(0, OWNED_QUEUES).map(name => new QueueEvents(name, { connection: { url: broker } }))
  for (const events of all) events.on('completed', () => { seen++ })
  await Promise.all(all.map(events => events.waitUntilReady()))
  return { seen: async () => seen, stop: () => Promise.all(all.map(events => events.close())) }
}

/**
 * Uses as much CPU time as an observer and its result backend, and does not connect to the server. It shows what any process of that size
 * costs the owner on a machine whose cores are all in use.
 */
function keepBusy(share: number): Observer {
  const timer = setInterval(() => {
    const endsAt = performance.now() + share * BUSY_EVERY_MS
    while (performance.now() < endsAt);
  }, BUSY_EVERY_MS)
  return { seen: async () => Infinity, async stop() { clearInterval(timer) } }
}

type Finishes = Awaited<ReturnType<typeof runFinishes>>

async function runFinishes(start: ((broker: string, backend: string) => Promise<Observer>) | null, isLowest = false) {
  const server = await createRedisServer({ persistent: false })
  if (isLowest) setPriority(19)
  const backend = await createRedisServer({ persistent: false })
  const redis = new Redis(server.url)
  const clientsOf = async () => Number(/connected_clients:(\d+)/.exec(await redis.info('clients'))![1])
  const sumOf = async (client: Redis, fields: RegExp) =>
    [...(await client.info('cpu')).matchAll(fields)].reduce((sum, [, seconds]) => sum + Number(seconds), 0)
  const secondsOf = (client: Redis) => sumOf(client, /used_cpu_user_main_thread:([\d.]+)/g)
  const allSecondsOf = (client: Redis) => sumOf(client, /used_cpu_(?:sys|user):([\d.]+)/g)
  // A queue exists once its owner has connected.
  const known = names.slice(0, OWNED_QUEUES).map(name => new Queue(name, { connection: { url: server.url } }))
  await Promise.all(known.map(queue => queue.waitUntilReady()))
  await Promise.all(known.map(queue => queue.close()))
  const before = await clientsOf()
  const observer = await start?.(server.url, backend.url)
  const connections = await clientsOf() - before
  const usedBefore = await secondsOf(redis)
  const backendRedis = new Redis(backend.url)
  const backendBefore = await allSecondsOf(backendRedis)
  const begunAt = performance.now()
  const ownBefore = process.cpuUsage()
  const owner = fork(
    fileURLToPath(new URL('existing-queues-owner.js', import.meta.url)), [server.url, RATE, SECONDS, OWNED_QUEUES].map(String)
  )
  if (isLowest) setPriority(owner.pid!, 0)
  const failed = once(owner, 'exit').then(() => { throw new Error('The owner of the queues failed') })
  const [owned] = await Promise.race([once(owner, 'message'), failed]) as [Owned]
  const serverSeconds = await secondsOf(redis) - usedBefore
  const endedAt = performance.now()
  if (observer) await waitFor('all finishes', async () => await observer.seen() >= owned.finished, 60_000).catch(() => {})
  const seen = await observer?.seen() ?? 0
  const seenAfter = (performance.now() - endedAt) / 1_000
  const { user, system } = process.cpuUsage(ownBefore)
  const busyShare = ((user + system) / 1e6 + await allSecondsOf(backendRedis) - backendBefore) * 1_000 / (performance.now() - begunAt)
  await observer?.stop()
  for (const client of [redis, backendRedis]) client.disconnect()
  if (isLowest) setPriority(0)
  await Promise.all([server.remove(), backend.remove()])
  return { ...owned, serverSeconds, seen, seenAfter, connections, busyShare, ownMicroseconds: (user + system) / owned.finished }
}
