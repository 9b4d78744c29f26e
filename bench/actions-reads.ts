/**
 * How long other clients' reads take while a bulk retry runs, compared with the same reads without it, and with reads while bare BullMQ
 * adds as many jobs per second. The three take turns of a second or two, so that other load on the machine affects all of them. There are
 * two reads: another process reads a page of failures from the store, and reads the same page over HTTP from the process that works on the
 * operation. The operation is suspended between its turns. Run: npm run bench actions-reads redis|postgres [rounds] [rate]
 */
import { fork, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createPostgresBackend, Queue } from 'bullmq'
import Fastify from 'fastify'
import { createResultBackend } from '../lib/backend/create-result-backend.ts'
import { dashboardPlugin, QueueApp } from '../lib/index.ts'
import { createStore } from '../lib/stores/create-store.ts'
import { makeExecution } from '../test/backend/make-execution.ts'
import { createPostgresServer } from '../test/support/servers/postgres-server.ts'
import { createRedisServer } from '../test/support/servers/redis-server.ts'

const TASK = 'mail'
const BATCH = 500
const TURN_MS = 1_500
/** A turn is measured only after this time, because the previous one may still be ending. */
const SETTLED_MS = 300
const PAUSE_BETWEEN_READS_MS = 5
const MS_PER_TICK = 10
/** The bare adder sends this many at a time, as evenly as it can. */
const BARE_BATCH = 100

type Turn = 'still' | 'bulk' | 'bare'
/** When it began, as milliseconds since the epoch, and how long it took, in milliseconds. */
type Read = readonly [at: number, ms: number]
interface Reads { readonly store: readonly Read[]; readonly own: readonly Read[] }

let serverPid: string | undefined
const [kind = 'redis', ...parameters] = process.argv.slice(2)
if (kind === 'reader') await read(parameters[0]!, parameters[1]!)
else if (kind === 'adder') await add(parameters[0]!)
else await measure(Number(parameters[0] ?? 10), parameters[1] === undefined ? null : Number(parameters[1]))

async function measure(rounds: number, rate: number | null): Promise<void> {
  const server = await (kind === 'redis'
    ? createRedisServer({ persistent: false })
    : createPostgresServer({ settings: { max_wal_size: '8GB' } }))
  const items = Math.min(500_000, rounds * 20_000)
  const store = createStore(server.url, { namespace: 'tasks', role: 'result backend', onError() {} })
  const queueApp = QueueApp.fromUrls({ broker: server.url, tasks: { [TASK]: {} } })
  await Promise.all([queueApp.start(), store.start()])
  const backend = createResultBackend(store)
  await backend.start()
  const end = Date.now() - 60_000
  for (let done = 0; done < items; done += BATCH) {
    await backend.record(Array.from({ length: BATCH }, (_, index) => makeExecution({
      executionId: randomUUID(), taskName: TASK, queue: TASK, status: 'failed', finishedAt: end - done - index
    })))
  }
  const fastify = Fastify()
  await fastify.register(dashboardPlugin, { prefix: '/tasks', queueApp, access: 'host' })
  const address = await fastify.listen({ port: 0, host: '127.0.0.1' })
  const here = fileURLToPath(import.meta.url)
  const reader = fork(here, ['reader', server.url, address])
  const adder = fork(here, ['adder', server.url])
  await Promise.all([once(reader, 'message'), once(adder, 'message')])

  const { bulk } = queueApp.operations
  const { operationId } = await bulk.create({
    action: 'retry', tasksLeftOut: 0, taskNames: [TASK], filter: {}, ...rate !== null && { rate }
  })
  const found = async () => (await queueApp.monitoring.bulk.find(operationId))!
  await bulk.suspend(operationId)
  const turns: Array<{ turn: Turn; round: number; from: number; to: number }> = []
  const othersShares: number[] = []
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const cpu = { still: [0, 0, 0], bulk: [0, 0, 0], bare: [0, 0, 0] }
  const [bulkRates, bareRates]: [number[], number[]] = [[], []]
  async function turnOf(turn: Turn, round: number): Promise<void> {
    const [ownBefore, serverBefore] = [process.cpuUsage(), serverCpu(server.port)]
    const from = Date.now() + SETTLED_MS
    await sleep(SETTLED_MS + TURN_MS)
    const to = Date.now()
    const { user, system } = process.cpuUsage(ownBefore)
    const spent = cpu[turn]
    spent[0]! += (user + system) / 1_000
    spent[1]! += serverCpu(server.port) - serverBefore
    spent[2]! += to - from + SETTLED_MS
    turns.push({ turn, round, from, to })
  }
  for (let round = 0; round < rounds; round++) {
    const ours = (): number => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1_000 + serverCpu(server.port) + cpuOf(reader.pid!) + cpuOf(adder.pid!)
    }
    const [oursBefore, allBefore] = [ours(), machineCpu()]
    await turnOf('still', round)
    const before = (await found()).progress!.done
    await bulk.resume(operationId)
    while ((await found()).progress!.done === before) await sleep(5)
    const [doneAt, firstDone] = [performance.now(), (await found()).progress!.done]
    delay.reset()
    delay.enable()
    await turnOf('bulk', round)
    delay.disable()
    const now = await found()
    await bulk.suspend(operationId)
    const bulkRate = (now.progress!.done - firstDone) / (performance.now() - doneAt) * 1_000
    if (now.state !== 'running') throw new Error(`It ended too early: ${JSON.stringify(now)}`)
    bulkRates.push(bulkRate)
    await sleep(SETTLED_MS)
    adder.send(bulkRate)
    await turnOf('bare', round)
    adder.send(0)
    const [added] = await once(adder, 'message') as [number]
    bareRates.push(added)
    const all = machineCpu()
    const busy = all.busy - allBefore.busy
    othersShares.push(Math.max(0, busy - (ours() - oursBefore)) / (all.total - allBefore.total))
  }
  reader.send('give')
  const [reads] = await once(reader, 'message') as [Reads]
  await Promise.all([reader, adder].map(child => ended(child)))

  console.log(`${kind}: ${rounds} rounds, others used ${share(of(othersShares, 0.5), 1)} of the processors; retries per second: ` +
    `median ${Math.round(of(bulkRates, 0.5))}; bare jobs per second: median ${Math.round(of(bareRates, 0.5))}`)
  for (const [turn, [own, ofServer, ms]] of Object.entries(cpu))
    console.log(`processor, ${turn}: this process ${share(own!, ms!)}, server ${share(ofServer!, ms!)}`)
  console.log(`event loop of this process, last turn: p50 ${(delay.percentile(50) / 1e6).toFixed(1)}, p95 ` +
    `${(delay.percentile(95) / 1e6).toFixed(1)}, max ${(delay.max / 1e6).toFixed(1)} ms`)
  for (const which of ['store', 'own'] as const) {
    const inTurn = (turn: Turn, round?: number): number[] => turns
      .filter(each => each.turn === turn && (round ?? each.round) === each.round)
      .flatMap(({ from, to }) => reads[which].filter(([at]) => at >= from && at < to).map(([, ms]) => ms))
    for (const turn of ['still', 'bulk', 'bare'] as const) {
      const all = inTurn(turn)
      const ratios = (quantile: number): string => turn === 'still' ? '' : ` (${of(Array.from({ length: rounds }, (_, round) =>
        of(inTurn(turn, round), quantile) / of(inTurn('still', round), quantile)), 0.5).toFixed(2)})`
      console.log(`${which === 'store' ? 'page from the store by another process' : 'page by HTTP from this process'}, ${turn}: ` +
        `${all.length} reads, p50 ${of(all, 0.5).toFixed(2)}${ratios(0.5)}, p95 ${of(all, 0.95).toFixed(2)}${ratios(0.95)} ms`)
    }
  }
  await fastify.close()
  await queueApp.stop()
  await store.stop()
  await server.remove()
}

/** Reads the page of failures that an operator sees, repeatedly. */
async function read(url: string, address: string): Promise<void> {
  const store = createStore(url, { namespace: 'tasks', role: 'result backend', onError() {} })
  await store.start()
  const backend = createResultBackend(store)
  await backend.start()
  const reads = { store: [] as Read[], own: [] as Read[] }
  process.once('message', () => process.send!(reads))
  process.send!('ready')
  const timed = async (times: Read[], work: () => Promise<unknown>): Promise<void> => {
    const [at, begun] = [Date.now(), performance.now()]
    await work()
    times.push([at, performance.now() - begun])
    await sleep(PAUSE_BETWEEN_READS_MS)
  }
  for (let number = 0; ; number++) {
    await timed(reads.store, () => backend.list({ order: 'newest', limit: 50, taskName: TASK }))
    // A different time in each request, so that no response is shared.
    const from = new Date(Date.UTC(2000, 0, 1) + number).toISOString()
    await timed(reads.own, async () => {
      const answer = await fetch(`${address}/tasks/api/executions?status=failed&task_name=${TASK}&limit=50&from=${from}`)
      if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`)
      await answer.arrayBuffer()
    })
  }
}

/** Adds jobs at the rate per second that its parent sends, until the parent sends 0. */
async function add(url: string): Promise<void> {
  const queue = kind === 'redis' || url.startsWith('redis')
    ? new Queue('bare', { connection: { url } })
    : new Queue('bare', { connection: { connectionString: url, schema: 'bare', migrate: true } }, createPostgresBackend)
  await queue.waitUntilReady()
  let rate = 0
  process.on('message', (message: number) => {
    rate = message
    if (rate > 0) void run()
  })
  process.send!('ready')
  async function run(): Promise<void> {
    const begun = performance.now()
    let added = 0
    while (rate > 0) {
      await queue.addBulk(Array.from({ length: BARE_BATCH }, () => ({
        name: 'x', data: ['a@example.org', 'Hello'], opts: { jobId: randomUUID() }
      })))
      added += BARE_BATCH
      const ahead = rate > 0 ? added / rate * 1_000 - (performance.now() - begun) : 0
      if (ahead > 0) await sleep(ahead)
    }
    process.send!(added / (performance.now() - begun) * 1_000)
  }
}

async function ended(child: ChildProcess): Promise<void> {
  child.kill()
  await once(child, 'exit')
}

/** CPU time so far of the server that listens on this port and of its children, in milliseconds. */
function serverCpu(port: number): number {
  const stats = readdirSync('/proc').filter(name => /^\d+$/.test(name)).flatMap(pid => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const [own, ofEnded] = [Number(fields[11]) + Number(fields[12]), Number(fields[13]) + Number(fields[14])]
      const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
      return [{ pid, parent: fields[1]!, own: own * MS_PER_TICK, all: (own + ofEnded) * MS_PER_TICK, name }]
    } catch {
      return []
    }
  })
  serverPid ??= stats.find(({ pid, name }) => /^(redis-server|postgres)/.test(name) && argumentsOf(pid).includes(String(port)))?.pid
  return stats.filter(({ pid, parent }) => pid === serverPid || parent === serverPid).reduce((sum, { pid, all, own }) =>
    sum + (pid === serverPid ? all : own), 0)
}
/** CPU time of one process, in milliseconds. */
function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK
}
/** CPU time of all processors, in milliseconds. */
function machineCpu(): { busy: number; total: number } {
  const [user = 0, nice = 0, system = 0, idle = 0, waiting = 0, irq = 0, softIrq = 0, steal = 0] =
    readFileSync('/proc/stat', 'utf8').split('\n')[0]!.split(/\s+/).slice(1).map(ticks => Number(ticks) * MS_PER_TICK)
  const busy = user + nice + system + irq + softIrq + steal
  return { busy, total: busy + idle + waiting }
}
function argumentsOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

function of(times: readonly number[], quantile: number): number {
  return times.toSorted((one, two) => one - two)[Math.floor(times.length * quantile)] ?? NaN
}
function share(ms: number, ofMs: number): string { return `${(ms / ofMs * 100).toFixed(0)} %` }
