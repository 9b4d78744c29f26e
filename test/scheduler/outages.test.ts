import t from 'tap'
import { createAttendance, type Attendance } from '../../lib/scheduler/runs/attendance.ts'
import { nextDueTimeOf } from '../../lib/scheduler/timing/due-times.ts'
import { createOverdueWatch } from '../../lib/scheduler/runs/overdue-watch.ts'
import { createRunGuard } from '../../lib/scheduler/runs/run-guard.ts'
import { createRunLedger } from '../../lib/scheduler/runs/run-ledger.ts'
import { toApiDocument } from '../../lib/scheduler/definitions/schedule-document.ts'
import { toScheduleDefinition } from '../../lib/scheduler/definitions/schedule-input.ts'
import { createScheduleStore } from '../../lib/scheduler/definitions/schedule-store.ts'
import { createStoreClock } from '../../lib/stores/store-clock.ts'
import { createMemoryDocuments } from '../support/memory-documents.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const BEGAN = Date.UTC(2030, 0)
const TICK = 10 * SECOND

/** Minutes from the start: from, to. */
type Minutes = ReadonlyArray<readonly [from: number, to: number]>

interface Scenario {
  readonly title: string
  /** When each process that runs the task is up. */
  readonly workers: readonly Minutes[]
  readonly web: Minutes
  readonly brokerAway?: Minutes
  /** When workers are busy with other work. */
  readonly busy?: Minutes
  readonly catchUp?: 'none' | 'one'
  readonly misses: ReadonlyArray<readonly [kind: string, reason: string, firstMinute: number, lastMinute: number, count: number]>
}

const ALWAYS: Minutes = [[0, 99]]

const scenarios: Scenario[] = [
  { title: 'nothing happens', workers: [ALWAYS], web: ALWAYS, misses: [] },
  {
    title: 'workers are away for 65 s, the web process stays', workers: [[[0, 3.9], [5, 99]]], web: ALWAYS,
    misses: [['missed', 'no_worker', 4, 5, 2]]
  },
  {
    title: 'workers are away for ten minutes, the web process stays', workers: [[[0, 3.5], [13.5, 99]]], web: ALWAYS,
    misses: [['missed', 'no_worker', 4, 13, 10]]
  },
  {
    title: 'workers are away for ten minutes, a run may catch up', catchUp: 'one', workers: [[[0, 3.5], [13.5, 99]]], web: ALWAYS,
    misses: [['missed', 'no_worker', 5, 13, 9], ['late', 'no_worker', 4, 4, 1]]
  },
  {
    title: 'all processes are away', workers: [[[0, 3.5], [13.5, 99]]], web: [[0, 3.5], [13.5, 99]],
    misses: [['missed', 'process_down', 4, 13, 10]]
  },
  {
    title: 'all processes die, the web process comes back long before the workers', workers: [[[0, 3.5], [13.5, 99]]],
    web: [[0, 3.6], [7, 99]], misses: [['missed', 'process_down', 4, 13, 10]]
  },
  {
    title: 'workers go, the web process follows and comes back first', workers: [[[0, 3.5], [13.5, 99]]], web: [[0, 6], [11, 99]],
    misses: [['missed', 'no_worker', 4, 13, 10]]
  },
  {
    title: 'the broker is away', workers: [ALWAYS], web: ALWAYS, brokerAway: [[3.5, 13.5]], misses: [['missed', 'broker_away', 4, 13, 10]]
  },
  {
    title: 'the broker is away, a run may catch up', catchUp: 'one', workers: [ALWAYS], web: ALWAYS, brokerAway: [[3.5, 13.5]],
    misses: [['missed', 'broker_away', 5, 13, 9], ['late', 'broker_away', 4, 4, 1]]
  },
  {
    title: 'workers are busy', workers: [ALWAYS], web: ALWAYS, busy: [[3.5, 13.5]],
    misses: [['missed', 'busy', 5, 13, 9], ['late', 'busy', 4, 4, 1]]
  },
  {
    title: 'busy workers are replaced one after another', workers: [[[0, 7]], [[6.8, 99]]], web: ALWAYS,
    busy: [[3.5, 13.5]], misses: [['missed', 'busy', 5, 13, 9], ['late', 'busy', 4, 4, 1]]
  },
  {
    title: 'busy workers are replaced, with six seconds between them', workers: [[[0, 7]], [[7.1, 99]]], web: ALWAYS,
    busy: [[3.5, 9.5]], misses: [['missed', 'busy', 5, 9, 5], ['late', 'busy', 4, 4, 1]]
  },
  {
    title: 'a run waits in a long queue while the broker is away for a moment', workers: [ALWAYS], web: ALWAYS, busy: [[3.5, 9.5]],
    brokerAway: [[5.1, 5.4]], misses: [['missed', 'busy', 5, 9, 5], ['late', 'busy', 4, 4, 1]]
  },
  { title: 'workers are away for a quarter of a minute', workers: [[[0, 3.9], [4.2, 99]]], web: ALWAYS, misses: [] },
  {
    title: 'all processes are away, a worker comes, takes one run and dies', workers: [[[0, 3.5], [13.5, 13.7]]],
    web: [[0, 3.5], [13.5, 99]], misses: [['missed', 'no_worker', 14, 19, 6], ['missed', 'process_down', 4, 13, 10]]
  },
  {
    title: 'workers are busy, take one run and die', workers: [[[0, 9.7]]], web: ALWAYS, busy: [[3.5, 9.5]],
    misses: [['missed', 'no_worker', 10, 19, 10], ['missed', 'busy', 5, 9, 5], ['late', 'busy', 4, 4, 1]]
  },
  {
    title: 'workers are busy, take one run that may catch up and die', catchUp: 'one',
    workers: [[[0, 9.7]]], web: ALWAYS, busy: [[3.5, 9.5]],
    misses: [['missed', 'no_worker', 11, 19, 9], ['missed', 'busy', 5, 9, 5], ['late', 'busy', 4, 4, 1]]
  },
  {
    title: 'two outages', workers: [[[0, 3.5], [5.5, 8.5], [11.5, 99]]], web: ALWAYS,
    misses: [['missed', 'no_worker', 9, 11, 3], ['missed', 'no_worker', 4, 5, 2]]
  }
]

for (const scenario of scenarios) {
  t.test(`missed runs have the right reason: ${scenario.title}`, async t => { t.strictSame(await play(scenario), scenario.misses) })
  t.test(`missed runs have the right reason with wrong clocks: ${scenario.title}`, async t => {
    for (let seed = 1; seed <= 4; seed++) t.strictSame(await play(scenario, skewOf(seed)), scenario.misses, `seed ${seed}`)
  })
}

/** How wrong the clock of a process is: up to an hour either way, the same for the same seed. */
function skewOf(seed: number): (process: number) => number {
  return process => Math.round(Math.sin(seed * 127 + process * 311) * HOUR)
}

/** Plays twenty minutes of a schedule that is due every minute, in steps of ten seconds. */
async function play({ workers, web, brokerAway = [], busy = [], catchUp = 'none' }: Scenario, skew: (process: number) => number = () => 0) {
  const documents = createMemoryDocuments()
  const clock = { now: BEGAN }
  const store = createScheduleStore(documents)
  const schedule = await store.change('sch_1', () =>
    toApiDocument(toScheduleDefinition({ taskName: 'report', timing: { intervalMs: MINUTE, timezone: 'UTC' }, catchUp }), BEGAN))
  const isAt = (minutes: Minutes) => minutes.some(([from, to]) => clock.now >= BEGAN + from * MINUTE && clock.now < BEGAN + to * MINUTE)
  let nextRunAt = BEGAN + MINUTE

  const roles = [...workers.map(there => ({ there, tasks: ['report'] })), { there: web, tasks: [] }]
  const attendances: Array<Attendance | null> = roles.map(() => null)
  const readNow = async () => clock.now
  const clocks = roles.map((_role, index) =>
    createStoreClock(readNow, { wallClock: () => clock.now + skew(index), steadyClock: () => clock.now - BEGAN }))
  for (; clock.now < BEGAN + 20 * MINUTE; clock.now += TICK) {
    for (const [index, { there, tasks }] of roles.entries()) {
      if (!isAt(there)) {
        attendances[index] = null
        continue
      }
      if (isAt(brokerAway)) {
        attendances[index]?.brokerAway()
        continue
      }
      const isNew = attendances[index] === null
      const ofProcess = clocks[index]!
      const { now } = ofProcess
      await ofProcess.set()
      const ledger = createRunLedger(documents, store, now)
      const attendance = attendances[index] ??= createAttendance({ documents, localTasks: () => tasks, now, silenceMs: 40 * SECOND })
      await (isNew ? attendance.begin() : attendance.note())
      const disableWait = { withinMs: 100, async announce() {} }
      const guard = createRunGuard({
        documents, store, ledger, attendance, disableWait, clock: ofProcess, unrecorded: { add() {}, async record() {} },
        onError: error => { throw error }
      })
      if (tasks.length > 0 && !isAt(busy) && nextRunAt <= clock.now) {
        const dueAt = nextRunAt
        nextRunAt = nextDueTimeOf('sch_1', schedule!.value, clock.now)!
        await guard.beforeRun({ scheduleId: 'sch_1', executionId: `run ${dueAt}`, dueAt })
      }
      await createOverdueWatch({
        documents, holder: String(index), store, ledger, attendance, now, taskNames: async () => ['report'],
        effects: {
          async listSchedulers() { return [{ scheduleId: 'sch_1', taskName: 'report', nextRunAt }] }
        },
        servedTasks: async () => new Set(workers.some(isAt) ? ['report'] : [])
      })()
    }
  }
  return (await createRunLedger(documents, store, () => clock.now).list('sch_1')).map(({ kind, reason, firstDueAt, lastDueAt, count }) =>
    [kind, reason, (firstDueAt - BEGAN) / MINUTE, (lastDueAt - BEGAN) / MINUTE, count])
}
