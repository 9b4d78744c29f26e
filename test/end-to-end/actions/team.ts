import { currentExecution, QueueApp } from '../../../lib/index.ts'
import { openQueuesOfOthers } from '../../support/queues-of-others.ts'
import type { TestScope } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'
import { addForeignOperation, addGoneSchedules, addUndoingOperation } from './earlier.ts'

/** Its handler does what its argument says. */
export const JOB = 'own:job'
/** No process runs these. */
export const IDLE = 'own:idle'
export const QUEUES = {
  running: 'own:running', paused: 'own:paused', limited: 'own:limited', pausedByOthers: 'own:paused-by-others'
} as const
/** Always fails, with its argument in the message. */
export const TROUBLE = 'own:trouble'
/** Its handler does nothing. */
export const QUIET = 'own:quiet'

export interface Tasks {
  readonly queueApp: QueueApp
  /** Ids of schedules whose task no process registers any more. Each test takes one. */
  readonly goneSchedules: string[]
  /** How often each execution of `JOB` has run. */
  readonly runs: ReadonlyMap<string, number>
  /** Null on the embedded store, which only one process can open. */
  readonly pauseByOtherCode: ((taskName: string) => Promise<void>) | null
  /** Fails `count` times with this word, and waits until the history has the failures. Returns their ids. */
  fail(word: string, count?: number): Promise<string[]>
}

export async function openTasks(t: TestScope, url: string): Promise<Tasks> {
  // Only one process at a time may open the embedded store, so these are added before the app starts.
  await addForeignOperation(url)
  await addUndoingOperation(url, IDLE)
  const goneSchedules = await addGoneSchedules(url)
  const declared = [IDLE, ...Object.values(QUEUES)].map(name => [name, {}] as const)
  const queueApp = QueueApp.fromUrls({ broker: url, tasks: Object.fromEntries(declared), stopGraceMs: 100 })
  const runs = new Map<string, number>()
  queueApp.task(JOB, async (what: string) => {
    const { executionId, signal } = currentExecution()
    runs.set(executionId, (runs.get(executionId) ?? 0) + 1)
    if (what === 'fail') throw new Error('no connection')
    if (what === 'succeed') return
    await new Promise<void>(resolve => { if (what === 'run') signal.addEventListener('abort', () => resolve(), { once: true }) })
    throw signal.reason
  }, { concurrency: 80, retryDelay: 600 })
  queueApp.task(TROUBLE, async (word: string) => { throw new Error(`trouble with ${word}`) }, { concurrency: 50 })
  queueApp.task(QUIET, async () => {})
  await queueApp.start()

  async function fail(word: string, count = 1): Promise<string[]> {
    const ids = await queueApp.enqueueMany(TROUBLE, Array.from({ length: count }, () => [word]))
    const wanted = { action: 'retry', filter: { executionIds: ids }, taskNames: [TROUBLE], tasksLeftOut: 0 } as const
    await waitFor(`${word} in the history`, async () => (await queueApp.monitoring.bulk.preview(wanted)).count.value === count)
    await waitFor(`the group of ${word}`, async () => (await queueApp.monitoring.execution(ids[0]!))?.errorGroup)
    return ids
  }
  const others = url.startsWith('embedded:') ? null : await openQueuesOfOthers(t, url, 'tasks')
  const pauseByOtherCode = others && (async (taskName: string): Promise<void> => { await others.queueOf(taskName).pause() })
  return { queueApp, goneSchedules, runs, pauseByOtherCode, fail }
}
