import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { QueueApp, type TaskDashboardError } from '../../../lib/index.ts'
import { waitFor } from '../../support/wait-for.ts'

/** Once the new primary is up, everything works again within this time, with some margin for a busy machine. */
const BACK_WITHIN_MS = 10_000

export interface Failover {
  /** The broker's URL, with an address that moves. */
  readonly url: string
  /** Hands over to the other server. The old one becomes a replica, and the address still leads to it. */
  demote(): Promise<unknown>
  /** Makes the address lead to the new primary. Connections to the old one stay open. */
  move(): Promise<unknown>
  /** The number of connections made so far. */
  connections(): number
}

/** A worker and a dashboard while the server is demoted and the address moves, `times` times. */
export async function testFailovers(t: Test, { url, demote, move, connections }: Failover, times: number): Promise<void> {
  const ran = new Map<number, number>()
  const errors: Error[] = []
  const worker = QueueApp.fromUrls({ broker: url, stopGraceMs: 1_000, onError: error => { errors.push(error) } })
  const dashboard = QueueApp.fromUrls({ broker: url, onError() {} })
  let release = (): void => {}
  const held = new Map<number, Promise<void>>()
  const count = worker.task('count', (index: number) => { ran.set(index, (ran.get(index) ?? 0) + 1) }, { concurrency: 5 })
  const long = worker.task('long', async (index: number) => { await held.get(index) })
  let ticks = 0
  worker.task('tick', () => { ticks++ })
  await worker.createScheduler().scheduleInterval('tick', 1_000)
  await Promise.all([worker.start(), dashboard.start()])
  const over = new AbortController()
  t.teardown(async () => {
    over.abort()
    release()
    await Promise.all([worker.stop(), dashboard.stop()])
  })
  const apps = [worker, dashboard]
  const accepted: number[] = []
  let next = 0
  const codes = new Set<string>()
  const enqueueOne = async (): Promise<boolean> => {
    const index = next++
    try {
      await worker.enqueue(count, [index])
      accepted.push(index)
      return true
    } catch (error) {
      codes.add((error as TaskDashboardError).code)
      return false
    }
  }
  const told = () => errors.slice(-3).map(error => error.message).join('; ')

  for (let time = 1; time <= times; time++) {
    held.set(time, new Promise(resolve => { release = resolve }))
    const running = await worker.enqueue(long, [time])
    await waitFor('the long execution to run', async () => (await dashboard.monitoring.execution(running))?.status === 'running')
    for (let each = 0; each < 20; each++) await enqueueOne()
    let isLoaded = true
    const load = (async () => { while (isLoaded && !over.signal.aborted) { await enqueueOne(); await sleep(20) } })()

    await demote()
    for (const app of apps) {
      const { status, components } = await waitFor('health to report that the server is read-only', async () => {
        const health = await app.monitoring.health()
        return !health.components.broker.healthy && health
      })
      t.equal(status, 'unhealthy')
      t.match(components.broker, { message: 'reachable, but it is read-only', latencyMs: Number })
      t.match(components.backend, { healthy: false, latencyMs: Number })
    }
    const before = connections()
    await sleep(3_000)
    const made = connections() - before
    t.ok(made < 80, `a replica is not hammered: ${made} connections in 3 s`)

    await move()
    const movedAt = performance.now()
    await waitFor(() => `an enqueue to be accepted: ${told()}`, enqueueOne)
    for (const app of apps) {
      await waitFor('health to recover', async () => (await app.monitoring.health()).components.broker.healthy)
    }
    const backMs = Math.round(performance.now() - movedAt)
    t.ok(backMs < BACK_WITHIN_MS, `everything works again ${backMs} ms after the address moved`)
    const ticksBefore = ticks
    await waitFor(() => `the schedule to go on: ${told()}`, async () => ticks > ticksBefore + 1)
    release()
    isLoaded = false
    await load
    await waitFor(
      () => `all to run: ${accepted.filter(index => !ran.has(index)).length} of ${accepted.length} did not; ${told()}`,
      async () => accepted.every(index => ran.has(index))
    )
    const record = await waitFor('the long execution to be recorded', async () => {
      const execution = await dashboard.monitoring.execution(running)
      return execution?.status === 'success' && execution
    })
    t.equal(record.attempts.length, 1, 'the running execution continues and is not restarted')
    await waitFor(() => `all to be recorded: ${told()}`, async () =>
      (await dashboard.monitoring.statistics()).executions.success >= accepted.length + time)
    const { status, components } = await waitFor('health to be healthy', async () => {
      const health = await dashboard.monitoring.health()
      return health.status === 'healthy' && health
    })
    t.equal(status, 'healthy', JSON.stringify(components))
  }
  t.ok([...ran.values()].every(runs => runs === 1), 'nothing ran twice')
  t.ok([...codes].every(code => code === 'BROKER_UNAVAILABLE' || code === 'UNCONFIRMED'), `refused with: ${[...codes].join(', ')}`)
}
