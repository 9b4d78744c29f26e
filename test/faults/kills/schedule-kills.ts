import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { QueueApp } from '../../../lib/index.ts'
import type { MissRecord } from '../../../lib/scheduler/schedules.ts'
import { LOADER } from '../../support/loader.ts'
import { testNamespace } from '../../support/servers/stores.ts'
import { inBatches } from '../../support/in-batches.ts'
import { isSoak } from '../../support/soak.ts'
import { waitFor } from '../../support/wait-for.ts'

const SCHEDULES = 50
const PROCESSES = 3
/** A process that may start a run can be delayed by the other processes, and then logs a later time. */
const WAITS_FOR_A_CORE_MS = 250

export interface KillOptions {
  readonly durationMs: number
  readonly killEveryMs: number
}

export const killOptions: KillOptions = isSoak
  ? { durationMs: 120_000, killEveryMs: 10_000 }
  : { durationMs: 15_000, killEveryMs: 5_000 }

interface Run {
  readonly executionId: string
  readonly dueAt: number
  readonly startedAt: number
  readonly pid: number
}

/**
 * Processes with the same schedules, one of which is killed repeatedly. Every due time ran once, or is recorded as missed, or its run was
 * taken by a killed process and stays in the broker until another resumes it.
 */
export async function testKills(t: Test, url: string, { durationMs, killEveryMs }: KillOptions): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tasks-schedule-kills-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const [namespace, tally] = [testNamespace(), join(folder, 'tally')]
  const killed = new Set<number>()
  const processes = await Promise.all(Array.from({ length: PROCESSES }, () => startProcess(t, [url, namespace, tally, String(SCHEDULES)])))
  const operator = QueueApp.fromUrls({ broker: url, namespace })
  t.teardown(() => operator.stop())
  await operator.start()
  const { monitoring, operations } = operator
  const schedules = await waitFor('the schedules', () => monitoring.schedules())
  t.equal(schedules.length, SCHEDULES, 'every process declares the same schedules')

  // On a busy machine a request may time out. An operator would try again.
  const disable = (scheduleId: string) => waitFor(`${scheduleId} to be disabled`, () => operations.setScheduleEnabled(scheduleId, false))
  const end = Date.now() + durationMs
  const half = Date.now() + durationMs / 2
  let disabledAt: number | null = null
  for (let round = 0; Date.now() < end; round++) {
    await sleep(Math.min(killEveryMs, end - Date.now()))
    const index = round % PROCESSES
    killed.add(processes[index]!.pid!)
    processes[index]!.kill('SIGKILL')
    processes[index] = await startProcess(t, [url, namespace, tally, String(SCHEDULES)])
    if (disabledAt === null && Date.now() >= half) {
      await disable(schedules[0]!.scheduleId)
      disabledAt = Date.now()
    }
  }
  // Lets the runs that are due now finish.
  await inBatches(schedules, 5, ({ scheduleId }) => disable(scheduleId))
  await sleep(1500)
  const stuck = (await waitFor('the running executions', () => monitoring.executions({ status: 'running', limit: 200 }))).executions
  await Promise.all(processes.map(async child => {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }))

  const runs = await readRuns(tally)
  const records = await inBatches(schedules, 10, ({ scheduleId }) => waitFor('the schedule', () => monitoring.schedule(scheduleId)))
  let [missed, ran, repeated] = [0, 0, 0]
  for (const [index, { scheduleId }] of schedules.entries()) {
    const own = runs.filter(({ executionId }) => executionId.startsWith(`repeat:${scheduleId}:`))
    const byInstant = byDueAt(own)
    const twice = [...byInstant.values()].filter(several => several.length > 1)
    repeated += twice.length
    if (twice.some(several => several.slice(0, -1).some(({ pid }) => !killed.has(pid))))
      t.fail(`an instant of ${scheduleId} ran twice: ${JSON.stringify(twice)}`)
    const waiting = new Set(stuck.filter(execution => execution.scheduleId === scheduleId).map(({ executionId }) => dueAtOf(executionId)))
    // A pending run may have begun before, and is then in both sets.
    const instants = [...new Set([...byInstant.keys(), ...waiting])].sort((one, other) => one - other)
    const expected = (instants.at(-1)! - instants[0]!) / 1000 + 1
    const found = instants.length + records[index]!.missed!
    // A process killed just after taking a run could not record the misses before it. The process that resumes the run records them.
    const unwritten = instants.reduce((sum, at, i) => i > 0 && waiting.has(at) ? sum + (at - instants[i - 1]!) / 1000 - 1 : sum, 0)
    const misses = await waitFor('the misses', () => monitoring.scheduleMisses(scheduleId))
    // The process was killed before it recorded that it had taken the run. The run counts as missed until another process resumes it.
    const both = instants.filter(at => waiting.has(at) && isTold(misses, at)).length
    // The first due time may be missed before any ran.
    if (found < expected - unwritten || found > expected + 3 + both) {
      const { missed: counted } = records[index]!
      t.fail(`${scheduleId}: ${expected} instants, of which ${byInstant.size} ran, ${waiting.size} wait, ${counted} were missed`, {
        instants, waiting: [...waiting], untold: untold(instants, misses),
        misses: misses.map(({ kind, reason, firstDueAt, lastDueAt, count }) => [kind, reason, firstDueAt, lastDueAt, count])
      })
    }
    missed += records[index]!.missed!
    ran += byInstant.size
  }
  const ofDisabled = runs.filter(({ executionId }) => executionId.startsWith(`repeat:${schedules[0]!.scheduleId}:`))
  t.strictSame(ofDisabled.filter(({ dueAt }) => dueAt > disabledAt!), [], 'none due after the disable ran in any process')
  const startedAfter = await inBatches(ofDisabled.filter(({ startedAt }) => startedAt > disabledAt! + WAITS_FOR_A_CORE_MS), 5, async run =>
    ({ ...run, losses: (await waitFor('the execution', () => monitoring.execution(run.executionId))).losses ?? [] }))
  // A run taken by a killed process is resumed after its lock ends, which may be before the end of the test on a slow machine.
  t.strictSame(startedAfter.filter(({ losses }) => losses.length === 0), [], 'none due before was started after it')
  t.ok(
    ran > SCHEDULES * durationMs / 1000 * 0.5,
    `${ran} instants ran, ${missed} are written down as missed, ${stuck.length} wait for their process's lock to end, ${repeated} were ` +
      'taken up again after a kill'
  )
  t.comment(`${ran} ran, ${missed} missed, ${stuck.length} stuck, ${repeated} repeated, ${killed.size} kills`)
}

async function startProcess(t: Test, args: readonly string[]): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL('schedule-app.ts', import.meta.url)), args, {
    execArgv: [...LOADER], stdio: ['ignore', 'inherit', 'inherit', 'ipc']
  })
  t.teardown(() => { child.kill('SIGKILL') })
  await Promise.race([
    once(child, 'message'), once(child, 'exit').then(([code]) => { throw new Error(`a process ended with code ${code}`) })
  ])
  return child
}

/** Due times between others that neither ran, nor are pending, nor are recorded as missed. */
function untold(instants: readonly number[], misses: readonly MissRecord[]): number[] {
  const found: number[] = []
  for (let at = instants[0]!; at < instants.at(-1)!; at += 1000) if (!instants.includes(at) && !isTold(misses, at)) found.push(at)
  return found
}

function isTold(misses: readonly MissRecord[], at: number): boolean {
  return misses.some(({ kind, firstDueAt, lastDueAt }) => kind === 'missed' && at >= firstDueAt && at <= lastDueAt)
}

function byDueAt(runs: readonly Run[]): Map<number, Run[]> {
  const byInstant = new Map<number, Run[]>()
  for (const run of runs) byInstant.set(run.dueAt, [...byInstant.get(run.dueAt) ?? [], run])
  return byInstant
}

async function readRuns(tally: string): Promise<Run[]> {
  return (await readFile(tally, 'utf8')).trim().split('\n').map(line => {
    const [executionId, startedAt, pid] = line.split(' ') as [string, string, string]
    return { executionId, dueAt: dueAtOf(executionId), startedAt: Number(startedAt), pid: Number(pid) }
  })
}

function dueAtOf(executionId: string): number {
  return Number(executionId.slice(executionId.lastIndexOf(':') + 1))
}
