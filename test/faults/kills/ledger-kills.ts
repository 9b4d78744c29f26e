/**
 * Workers are killed, the broker crashes and the result backend goes down. In the end every finished execution is in the ledger once, as it
 * happened. The short version runs with all tests. The long one (10 minutes, 20,000 executions, 40 kills, 3 broker crashes and 3 outages of
 * 10 s on each store) runs with `npm run soak`.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { QueueApp } from '../../../lib/index.ts'
import type { TestServer } from '../../support/servers/child-server.ts'
import { LOADER } from '../../support/loader.ts'
import { isSoak } from '../../support/soak.ts'
import { testNamespace } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'
import { checkLedger, openLedger, readDiaries } from './ledger-truth.ts'

interface KillPlan {
  readonly executions: number
  readonly durationMs: number
  readonly kills: number
  readonly brokerCrashes: number
  readonly outages: number
  readonly outageMs: number
}

const PROCESSES = 3
const TICK_MS = 250
/** The argument of every scheduled run. */
const SCHEDULED_NUMBER = 1_000_000
/** A killed process's execution is retried after 30 to 60 s, and later again if that process is killed too. */
const DRAIN_TIMEOUT_MS = 240_000

export const killPlan: KillPlan = isSoak
  ? { executions: 20_000, durationMs: 600_000, kills: 40, brokerCrashes: 3, outages: 3, outageMs: 10_000 }
  : { executions: 300, durationMs: 12_000, kills: 3, brokerCrashes: 1, outages: 1, outageMs: 5_000 }

export async function testLedgerKills(t: Test, broker: TestServer, backend: TestServer, plan: KillPlan = killPlan): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tasks-ledger-kills-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const namespace = testNamespace()
  const startedAt = Date.now()
  const processes: ChildProcess[] = []
  /** How processes ended that the test did not kill. They are restarted, as by a supervisor. */
  const ownEnds: string[] = []
  const startProcess = (index: number): void => {
    const child = forkApp([broker.url, backend.url, namespace, folder])
    processes[index] = child
    child.once('exit', (code, signal) => {
      if (processes[index] !== child) return
      ownEnds.push(code === null ? signal! : `code ${code}`)
      startProcess(index)
    })
  }
  t.teardown(() => { for (const child of processes.splice(0)) child.kill('SIGKILL') })
  for (let index = 0; index < PROCESSES; index++) startProcess(index)
  await Promise.all(processes.map(isStarted))
  const operator = QueueApp.fromUrls({ broker: broker.url, backend: backend.url, namespace, onError() {} })
  t.teardown(() => operator.stop())
  await operator.start()
  const schedule = await operator.operations.createSchedule({
    taskName: 'steady', timing: { cron: '0 0 29 2 *', timezone: 'UTC' }, args: [SCHEDULED_NUMBER, 0]
  })

  const acknowledged: string[] = []
  let number = 0
  const enqueue = async (many: number) => {
    acknowledged.push(...await operator.operations.runSchedule(schedule.scheduleId).then(id => [id], () => []))
    for (const [task, share, failures] of [['steady', 0.8, 0], ['flaky', 0.15, 1], ['hopeless', 0.05, 3]] as const) {
      const args = Array.from({ length: Math.max(1, Math.round(many * share)) }, () => [number++, failures])
      // A call refused during an outage may have been carried out anyway. The broker's own sets decide in the end.
      acknowledged.push(...await operator.enqueueMany(task, args).catch(() => []))
    }
  }
  const crashBroker = async () => {
    await broker.kill()
    await sleep(1_000)
    await broker.start()
  }
  const outage = async () => {
    await backend.kill()
    await sleep(plan.outageMs)
    await backend.start()
  }
  let killed = 0
  const killOne = () => {
    const index = killed++ % PROCESSES
    const old = processes[index]!
    startProcess(index)
    old.kill('SIGKILL')
  }

  const { durationMs, kills, brokerCrashes, outages } = plan
  const events = [
    ...spread(kills, durationMs, 0.5).map(at => ({ at, happen: killOne })),
    ...spread(brokerCrashes, durationMs, 0.8).map(at => ({ at, happen: crashBroker })),
    ...spread(outages, durationMs, 0.2).map(at => ({ at, happen: outage }))
  ].sort((one, other) => one.at - other.at)
  const happening: Array<Promise<void> | void> = []
  const begin = Date.now()
  while (acknowledged.length < plan.executions) {
    while (events[0] !== undefined && Date.now() - begin >= events[0].at) happening.push(events.shift()!.happen())
    const wanted = Math.min(1, (Date.now() - begin) / durationMs) * plan.executions
    if (wanted > acknowledged.length) await enqueue(wanted - acknowledged.length)
    await sleep(TICK_MS)
  }
  for (const { happen } of events) happening.push(happen())
  await Promise.all(happening)

  let left = 'no answer yet'
  await waitFor(() => `all to finish: ${left}`, async () => {
    const tasks = await operator.monitoring.tasks().catch((error: Error) => { left = error.message; return [] })
    if (tasks.length === 0) return false
    left = tasks.map(({ name, executions: { pending, running } }) => `${name} ${pending} pending, ${running} running`).join('; ')
    return tasks.every(({ executions }) => executions.pending === 0 && executions.running === 0)
  }, DRAIN_TIMEOUT_MS).catch(async (error: Error) => {
    const page = await operator.monitoring.executions({ status: 'running', limit: 5 }).catch(() => null)
    throw new Error(`${error.message}; ended by themselves: ${ownEnds.join(', ')}; running: ${JSON.stringify(page?.executions)}`)
  })
  const ledger = await openLedger(t, broker.url, backend.url, namespace)
  const finished = await ledger.finishedOfBroker()
  await waitFor('the history to have them all', async () => {
    const { success, failed } = await ledger.backend.totals()
    return success + failed >= finished.length
  }).catch((error: Error) => t.fail(error.message))
  await Promise.all(processes.splice(0).map(async child => {
    child.kill('SIGTERM')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }))

  // A signal comes from outside, for example when the machine has no memory left.
  t.same(ownEnds.filter(end => end.startsWith('code')), [], 'no process ended by itself')
  t.ok(killed >= kills, `${killed} processes were killed`)
  const found = await checkLedger(t, { ...ledger, finished, acknowledged, runs: await readDiaries(folder), fromMs: startedAt })
  t.comment(`${found.finished} finished (${found.failed} failed in ${found.groups} groups, ${found.lost} of them lost twice; ` +
    `${found.scheduled} of a schedule), ` +
    `${found.runs} runs, ${killed} kills, ${ownEnds.length} ended by others, ` +
    `${brokerCrashes} broker crashes, ${outages} outages of ${plan.outageMs / 1000} s, ${Math.round((Date.now() - begin) / 1000)} s in all`)
}

/** `many` times, each within its own share of the duration: `position` 0 is the start of the share, 1 its end. */
function spread(many: number, durationMs: number, position: number): number[] {
  return Array.from({ length: many }, (_, index) => (index + position) * durationMs / many)
}

function forkApp(args: readonly string[]): ChildProcess {
  return fork(fileURLToPath(new URL('ledger-app.ts', import.meta.url)), args, {
    execArgv: [...LOADER], stdio: ['ignore', 'inherit', 'inherit', 'ipc']
  })
}

async function isStarted(child: ChildProcess): Promise<void> {
  await Promise.race([
    once(child, 'message'), once(child, 'exit').then(([code]) => { throw new Error(`a process ended with code ${code}`) })
  ])
}
