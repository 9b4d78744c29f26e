/**
 * What the embedded store costs its host: the delay of the event loop with stored executions, 50 tasks per second and a polling dashboard;
 * how long an execution waits for its start; executions per second. Compares the database in its own thread with the database in the host's
 * thread, in turns.
 * Run: npm run bench embedded [executions] [seconds] [rounds] [starving processes]
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { get } from 'node:http'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import type { AddressInfo } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const PER_SECOND = 50
const JOBS = 5_000
const PATHS = ['stats', 'executions?limit=50', 'tasks', 'schedules', 'health']

interface Measured {
  readonly startMs: number
  readonly loopMs: readonly [p50: number, p99: number, worst: number]
  readonly pickUpMs: readonly [p50: number, p99: number]
  readonly answerMs: readonly [p50: number, worst: number]
  readonly answers: number
  readonly refused: number
  readonly perSecond: number
}

const [role = '100000', ...rest] = process.argv.slice(2)
if (role === 'seed') await seed(rest[0]!, Number(rest[1]))
else if (role === 'thread' || role === 'host') process.send!(await measure(role, rest[0]!, Number(rest[1])))
else if (role === 'starve') for (;;) Math.sqrt(Math.random())
else await compare(Number(role), ...rest.map(Number))
process.exit()

async function compare(executions: number, seconds = 15, rounds = 2, starving = 0): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-embedded-'))
  const url = `embedded:${join(folder, 'store')}`
  await once(start('seed', url, executions), 'exit')
  const starvers = Array.from({ length: starving }, () => start('starve'))
  console.log(`${executions} executions stored, load ${loadavg()[0]!.toFixed(1)}, ${starving} other processes that want a processor`)
  for (let round = 0; round < rounds; round++) {
    const perSecond = { thread: 0, host: 0 }
    for (const where of ['thread', 'host'] as const) {
      const [measured] = await once(start(where, url, seconds), 'message') as [Measured]
      perSecond[where] = measured.perSecond
      console.log(`| ${where} | ${told(measured.loopMs)} | ${told(measured.pickUpMs)} | ${told(measured.answerMs)} | ` +
        `${measured.answers}, ${measured.refused} | ` +
        `${Math.round(measured.perSecond)}/s | ${Math.round(measured.startMs)} ms |`)
    }
    console.log(`thread beside host: ${(perSecond.thread / perSecond.host).toFixed(2)}× the executions per second`)
  }
  for (const starver of starvers) starver.kill()
  await rm(folder, { recursive: true, force: true })
}

function start(...parameters: ReadonlyArray<string | number>): ChildProcess {
  return fork(fileURLToPath(import.meta.url), parameters.map(String))
}

async function seed(url: string, executions: number): Promise<void> {
  const { createStore } = await import('../lib/stores/create-store.ts')
  const { createResultBackend } = await import('../lib/backend/create-result-backend.ts')
  const { recordsOf } = await import('./ledger-records.ts')
  const end = Date.now()
  const store = createStore(url, { namespace: 'tasks', role: 'result backend', onError: console.error })
  await store.start()
  const backend = createResultBackend(store)
  await backend.start()
  for (let done = 0; done < executions; done += 500) await backend.record(recordsOf(done, 500, executions, end))
  await backend.stop()
  await store.stop()
}

async function measure(where: 'thread' | 'host', url: string, seconds: number): Promise<Measured> {
  if (where === 'host') forbidThreads()
  const { default: Fastify } = await import('fastify')
  const { QueueApp, dashboardPlugin } = await import('../lib/index.ts')
  const begun = performance.now()
  const queueApp = QueueApp.fromUrls({ broker: url })
  const enqueuedAt: number[] = []
  const pickUps: number[] = []
  const task = queueApp.task('bench', async (number: number) => {
    const at = enqueuedAt[number]
    if (at !== undefined) pickUps.push(performance.now() - at)
    return number
  }, { concurrency: 50 })
  await queueApp.start()
  const startMs = performance.now() - begun

  const fastify = Fastify()
  await fastify.register(dashboardPlugin, { prefix: '/tasks', queueApp, access: 'host' })
  await fastify.listen({ port: 0, host: '127.0.0.1' })
  const address = `http://127.0.0.1:${(fastify.server.address() as AddressInfo).port}/tasks/api/`
  let refused = 0
  const answers: number[] = []
  const poll = (path: string) => new Promise<void>((resolve, reject) => {
    const start = performance.now()
    get(address + path, answer => {
      if (answer.statusCode !== 200) refused++
      answer.resume().on('end', () => {
        answers.push(performance.now() - start)
        resolve()
      })
    }).on('error', reject)
  })

  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const until = performance.now() + seconds * 1_000
  const enqueuing = (async () => {
    for (let number = 0; performance.now() < until; number++) {
      enqueuedAt[number] = performance.now()
      void queueApp.enqueue(task, [number]).catch(error => {
        refused++
        console.error(error)
      })
      await sleep(1_000 / PER_SECOND)
    }
  })()
  while (performance.now() < until) {
    await Promise.all(PATHS.map(poll))
    await sleep(1_000)
  }
  await enqueuing
  delay.disable()
  const loopMs = [delay.percentile(50) / 1e6, delay.percentile(99) / 1e6, delay.max / 1e6] as const

  enqueuedAt.length = 0
  const started = performance.now()
  const ids = await queueApp.enqueueMany('bench', Array.from({ length: JOBS }, (_, number) => [number]))
  while ((await queueApp.result(ids.at(-1)!))?.status !== 'success') await sleep(20)
  const perSecond = JOBS / (performance.now() - started) * 1_000
  await fastify.close()
  await queueApp.stop()
  return {
    startMs, loopMs, perSecond, refused, answers: answers.length,
    pickUpMs: [quantile(pickUps, 0.5), quantile(pickUps, 0.99)], answerMs: [quantile(answers, 0.5), Math.max(...answers)]
  }
}

/** Forbids threads as Node's permission model does, so that the store runs its database in this thread. */
function forbidThreads(): void {
  const threads = createRequire(import.meta.url)('node:worker_threads') as { Worker: unknown }
  threads.Worker = class { constructor() { throw Object.assign(new Error('no threads here'), { code: 'ERR_ACCESS_DENIED' }) } }
  syncBuiltinESMExports()
}

function quantile(times: number[], share: number): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * share)] ?? NaN
}

function told(times: readonly number[]): string {
  return times.map(time => `${time.toFixed(1)} ms`).join(', ')
}
