import fc from 'fast-check'
import type { Test } from 'tap'
import type { FailureGroup, FailureGroupPosition, FailureGroupQuery, ResultBackend } from '../../../lib/backend/result-backend.ts'
import { HOURS_KEPT_MS } from '../../../lib/backend/counting/tally.ts'
import { HOUR_MS } from '../../../lib/time/units.ts'
import type { FinishedExecution } from '../../../lib/execution.ts'
import { makeExecution } from '../../backend/make-execution.ts'
import { isSoak } from '../../support/soak.ts'
import { type OpenStore, freshBackend } from './fresh-backend.ts'
import { assertSame } from './model.ts'

/** Failure groups match a simple model. */
export function failureGroupsContract(t: Test, openStore: OpenStore): void {
  t.test('failure groups match a simple model for every range and task, page by page', async t => {
    const store = await openStore(t)
    const failure = fc.record({
      group: fc.constantFrom(...GROUPS),
      task: fc.constantFrom('a', 'b', '日報'),
      hoursAgo: fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 0, max: 60 }) }, fc.constantFrom(...LONG_AGO)),
      failed: fc.boolean(),
      type: fc.constantFrom('Error', 'TypeError')
    })
    const query = fc.record({
      from: fc.option(fc.oneof({ weight: 3, arbitrary: fc.integer({ min: -1, max: 61 }) }, fc.constantFrom(...LONG_AGO, 26 * 365 * 24))),
      to: fc.option(fc.oneof(
        { weight: 3, arbitrary: fc.integer({ min: -1, max: 61 }) }, fc.constantFrom(...LONG_AGO, ...HOURS_AHEAD.map(hours => -hours))
      )),
      taskName: fc.option(fc.constantFrom('a', '日報', 'never')),
      taskNames: fc.option(fc.subarray(['a', 'b', '日報', 'never'], { minLength: 1 })),
      errorGroup: fc.option(fc.constantFrom(...GROUPS, 'never'), { freq: 2 }),
      limit: fc.integer({ min: 1, max: 4 })
    })
    await fc.assert(fc.asyncProperty(fc.array(failure, { maxLength: 60 }), fc.array(query, { minLength: 8, maxLength: 8 }), async (
      failures, queries
    ) => {
      const backend = await freshBackend(store)
      const hour = await earlyEnoughHour()
      const executions = failures.map(({ group, task, hoursAgo, failed, type }, i) => makeExecution({
        // Each has a different time, so that the last one is well defined.
        finishedAt: (hour - hoursAgo) * HOUR_MS + i,
        taskName: task,
        status: failed ? 'failed' : 'success',
        ...(failed &&
          {
            errorGroup: group,
            error: { type, message: `failure ${i} of ${'long '.repeat(120)}`, stack: `Error\n    at send${i % 3} (/app/mail.js:3:1)` }
          })
      }))
      for (let i = 0; i < executions.length; i += 20) await backend.record(executions.slice(i, i + 20))
      assertSame(await readAll(backend, { limit: 100 }), groupsOf(executions, {}, hour))
      for (const { from, to, taskName, taskNames, errorGroup, limit } of queries) {
        const wanted: FailureGroupQuery = {
          limit,
          ...(from !== null && { from: (hour - from) * HOUR_MS }),
          ...(to !== null && { to: (hour - to) * HOUR_MS }),
          ...(taskName !== null && { taskName }),
          ...(taskName === null && taskNames !== null && { taskNames }),
          ...(errorGroup !== null && { errorGroup })
        }
        assertSame(await readAll(backend, wanted), groupsOf(executions, wanted, hour))
      }
    }), { numRuns: (store.kind === 'embedded' ? 3 : 8) * (isSoak ? 10 : 1), endOnFailure: true })
  })

  t.test('a range may begin or end before the hours whose counts are kept', async t => {
    const backend = await freshBackend(await openStore(t))
    const hour = await earlyEnoughHour()
    const failures: [group: string, task: string, hoursAgo: number][] = [
      ['g1', 'a', 4_000], ['g2', 'b', 4_000], ['g2', 'a', 3_000], ['g1', 'a', 1], ['g2', 'b', 0]
    ]
    const executions = failures.map(([errorGroup, taskName, hoursAgo], i) => makeExecution({
      finishedAt: (hour - hoursAgo) * HOUR_MS + i, taskName, status: 'failed', errorGroup,
      error: { type: 'Error', message: 'late', stack: 'Error\n    at send0 (/app/mail.js:3:1)' }
    }))
    await backend.record(executions)
    for (const from of [null, ...LONG_AGO]) {
      for (const to of LONG_AGO) {
        for (const taskName of [null, 'a', 'b']) {
          const wanted: FailureGroupQuery = {
            limit: 10, to: (hour - to) * HOUR_MS,
            ...(from !== null && { from: (hour - from) * HOUR_MS }), ...(taskName !== null && { taskName })
          }
          assertSame(await readAll(backend, wanted), groupsOf(executions, wanted, hour))
        }
      }
    }
  })

  t.test('a group names its twenty tasks with the most failures', async t => {
    const backend = await freshBackend(await openStore(t))
    const ofTask = (i: number) =>
      Array.from({ length: i + 1 }, () => makeExecution({ status: 'failed', taskName: `task ${i}`, errorGroup: 'g' }))
    const executions = Array.from({ length: 30 }, (_, i) => ofTask(i)).flat()
    await backend.record(executions)
    const { groups } = await backend.failureGroups({ limit: 5 })
    t.equal(groups[0]!.count, executions.length)
    t.strictSame(groups[0]!.tasks, Array.from({ length: 20 }, (_, i) => ({ taskName: `task ${29 - i}`, count: 30 - i })))
    t.equal(
      (await backend.failureGroups({ limit: 5, taskName: 'task 3' })).groups[0]!.count, 4,
      'a task that is not named is still counted'
    )
  })

  t.test('recording the same failures again counts nothing, also from concurrent writers', async t => {
    const backend = await freshBackend(await openStore(t))
    const now = Date.now()
    const executions = Array.from({ length: 60 }, (_, i) =>
      makeExecution({ status: 'failed', errorGroup: `g${i % 3}`, finishedAt: now - i }))
    await Promise.all([backend.record(executions), backend.record(executions.toReversed()), backend.record(executions.slice(20))])
    const { groups, total } = await backend.failureGroups({ limit: 10 })
    t.strictSame(groups.map(({ errorGroup, count }) => `${errorGroup}: ${count}`).toSorted(), ['g0: 20', 'g1: 20', 'g2: 20'])
    t.strictSame(total, { value: 3, relation: 'exact' })
    t.equal(groups[0]!.lastExecutionId, executions[0]!.executionId)
  })

  t.test('the counts of a group, its tasks and its trend agree while failures arrive, and the total covers the page', async t => {
    const backend = await freshBackend(await openStore(t))
    const queries: FailureGroupQuery[] = [
      { limit: 3 }, { limit: 50 }, { limit: 50, from: Date.now() - 3 * HOUR_MS }, { limit: 2, to: Date.now() + HOUR_MS }
    ]
    let isOver = false
    const writing = (async () => {
      for (let batch = 0; !isOver; batch++) {
        await backend.record(Array.from({ length: 12 }, (_, i) => makeExecution({
          status: 'failed', errorGroup: `g${i < 8 ? i % 4 : batch}`, taskName: `task ${i % 3}`, finishedAt: Date.now() - (i % 2) * HOUR_MS
        })))
      }
    })()
    try {
      for (let round = 0; round < 25; round++) {
        const pages = await Promise.all(queries.map(query => backend.failureGroups(query)))
        for (const { groups, total, next } of pages) {
          for (const { count, tasks, trend } of groups) {
            const ofTasks = tasks.reduce((sum, task) => sum + task.count, 0)
            const ofTrend = trend.reduce((sum, each) => sum + each, 0)
            assertSame({ ofTasks, ofTrend }, { ofTasks: count, ofTrend: count })
          }
          const least = groups.length + (next === null ? 0 : 1)
          if (total.value < least) throw new Error(`a total of ${total.value} beside ${groups.length} groups`)
        }
      }
    } finally {
      isOver = true
      await writing
    }
    t.ok((await backend.failureGroups({ limit: 1 })).groups[0]!.count > 0)
  })

  t.test('the few groups of a task or range are found among many others', async t => {
    const backend = await freshBackend(await openStore(t))
    const now = Date.now()
    const failure = (errorGroup: string, hoursAgo: number, taskName: string, i: number) =>
      makeExecution({ status: 'failed', errorGroup, taskName, finishedAt: now - hoursAgo * HOUR_MS - i })
    const common = Array.from({ length: 1_300 }, (_, i) => failure(`g${i}`, 0, 'common', i))
    // Groups of both tasks, whose first and last occurrence are outside the range.
    const rare = [1, 600, 1_299].flatMap(i => [failure(`g${i}`, 50, 'common', i), failure(`g${i}`, 10, 'rare', i)])
    const executions = [...common, ...rare, failure('g700', 40, 'rare', 0)]
    for (let i = 0; i < executions.length; i += 500) await backend.record(executions.slice(i, i + 500))
    const range = { from: now - 12 * HOUR_MS, to: now - 8 * HOUR_MS }
    for (const query of [{ taskName: 'rare', ...range }, range]) {
      for (const limit of [2, 50])
        t.strictSame(
          (await readAll(backend, { ...query, limit })).map(each => [each.errorGroup, each.count]), [['g1', 1], ['g600', 1], ['g1299', 1]]
        )
    }
    t.strictSame((await readAll(backend, { limit: 2, taskName: 'rare' })).map(each => each.errorGroup), ['g1', 'g600', 'g700', 'g1299'])
    t.strictSame(await backend.failureGroups({ limit: 2, taskName: 'never', ...range }), {
      groups: [], next: null, total: { value: 0, relation: 'exact' }
    })
  })

  t.test('groups last seen at the same time are each on exactly one page', async t => {
    const backend = await freshBackend(await openStore(t))
    const finishedAt = Date.now()
    await backend.record(Array.from({ length: 25 }, (_, i) => makeExecution({ status: 'failed', errorGroup: `g${i}`, finishedAt })))
    const groups = await readAll(backend, { limit: 4 })
    t.equal(new Set(groups.map(each => each.errorGroup)).size, 25)
    t.equal(groups.length, 25)
  })
}

const HOURS_KEPT = HOURS_KEPT_MS / HOUR_MS
/** Hours ago, before and after the start of the hours whose counts are kept. */
const LONG_AGO = [1_000, HOURS_KEPT - 1, HOURS_KEPT, 2_400, 4_000]
/** A query may end next year, or at the end of time. */
const HOURS_AHEAD = [100 * 24, 200 * 24, 8_000 * 365 * 24]
const GROUPS = ['g1', 'g2', 'g3', '日', "it's", 'never again']

async function readAll(backend: ResultBackend, query: FailureGroupQuery): Promise<FailureGroup[]> {
  const groups: FailureGroup[] = []
  const totals: Array<{ value: number; relation: string }> = []
  let after: FailureGroupPosition | undefined
  do {
    const page = await backend.failureGroups({ ...query, ...(after && { after }) })
    if (page.groups.length > query.limit) throw new Error('a page is longer than its limit')
    groups.push(...page.groups)
    totals.push(page.total)
    after = page.next ?? undefined
  } while (after)
  for (const { value, relation } of totals) {
    if (relation === 'exact' ? value !== groups.length : value > groups.length)
      throw new Error(`the total says ${relation} ${value}, there are ${groups.length}`)
  }
  return groups
}

function groupsOf(executions: readonly FinishedExecution[], asked: Partial<FailureGroupQuery>, hour: number): FailureGroup[] {
  const failures = executions.filter(each => each.status === 'failed').toSorted((a, b) => a.finishedAt - b.finishedAt)
  const groups: FailureGroup[] = []
  for (const errorGroup of GROUPS) {
    if (asked.errorGroup !== undefined && asked.errorGroup !== errorGroup) continue
    const all = failures.filter(each => each.errorGroup === errorGroup)
    const last = all.at(-1)
    if (last === undefined) continue
    const count = countOf(all, asked, hour)
    if (count === 0) continue
    const wanted = all.filter(each => asked.taskNames?.includes(each.taskName) !== false)
    const tasks = [...new Set(wanted.map(each => each.taskName))]
      .map(taskName => ({ taskName, count: all.filter(each => each.taskName === taskName).length }))
    groups.push({
      errorGroup,
      type: last.error!.type,
      message: last.error!.message.slice(0, 500),
      frame: /send\d/.exec(last.error!.stack!)![0] + '@app/mail.js',
      count,
      firstSeenAt: all[0]!.finishedAt,
      lastSeenAt: last.finishedAt,
      tasks: tasks.toSorted((a, b) => b.count - a.count || Buffer.compare(Buffer.from(a.taskName), Buffer.from(b.taskName))),
      lastExecutionId: last.executionId,
      trend: Array.from({ length: 24 }, (_, i) => wanted.filter(each => Math.floor(each.finishedAt / HOUR_MS) === hour - 23 + i).length),
      state: 'open',
      decision: null,
      isShared: wanted.length < all.length
    })
  }
  return groups.sort((a, b) => b.lastSeenAt - a.lastSeenAt)
}

/**
 * All failures if the range covers the whole life of the group. Otherwise those in the hours that are kept, and at least one if the range
 * covers its first or last occurrence.
 */
function countOf(group: readonly FinishedExecution[], { from, to, taskName, taskNames }: Partial<FailureGroupQuery>, hour: number): number {
  const isIn = ({ finishedAt }: FinishedExecution) => finishedAt >= (from ?? 0) && finishedAt < (to ?? Infinity)
  const asked = group.filter(each =>
    (taskName === undefined || each.taskName === taskName) && taskNames?.includes(each.taskName) !== false)
  if (group.every(isIn)) return asked.length
  const counted = asked.filter(each => isIn(each) && each.finishedAt >= (hour - HOURS_KEPT + 1) * HOUR_MS).length
  return asked.length === group.length && (isIn(group[0]!) || isIn(group.at(-1)!)) ? Math.max(1, counted) : counted
}

/** The number of this hour. Waits for the next hour if this one is nearly over, because the trend ends with it. */
async function earlyEnoughHour(): Promise<number> {
  const left = HOUR_MS - Date.now() % HOUR_MS
  if (left < 30_000) await new Promise(resolve => setTimeout(resolve, left + 10))
  return Math.floor(Date.now() / HOUR_MS)
}
