import t from 'tap'
import type { Schedule } from '../../../../schemas/index.ts'
import {
  countSchedules, readScheduleFilter, toScheduleList, type ScheduleFilterName
} from '../../../../ui/src/format/schedules/schedule-list.ts'
import type { Sorting } from '../../../../ui/src/format/lists/sorting.ts'

type Given = Partial<Omit<Schedule, 'stats'>> & { readonly stats?: Partial<Schedule['stats']> }

const schedule = (name: string, { stats = {}, ...fields }: Given = {}) => ({
  schedule_id: name, description: name, task_name: 'x', enabled: true, drift: null, overdue: false, last_status: 'success',
  next_run_at: null, last_run_at: null, ...fields,
  stats: { runs: 0, success: 0, failed: 0, missed: 0, late: 0, avg_duration_ms: null, ...stats }
}) as Schedule

const SCHEDULES = [
  schedule('b', { stats: { missed: 86, success: 95, failed: 5, runs: 100 }, next_run_at: '2026-11-20T10:00:00Z' }),
  schedule('a', { last_status: 'failed', overdue: true, stats: { success: 1, failed: 1, runs: 2 }, next_run_at: '2026-11-20T09:00:00Z' }),
  schedule('c', {
    drift: { fields: [] }, enabled: false, next_run_at: '2026-11-20T08:00:00Z', stats: { success: null, failed: null, runs: null }
  })
]
const names = (filter: ScheduleFilterName | null, sorting: Sorting | null) =>
  toScheduleList(SCHEDULES, filter, sorting).map(({ schedule_id: id }) => id).join('')

t.test('a filter selects the schedules that need attention', async t => {
  t.equal(names('missed', null), 'b')
  t.equal(names('failing', null), 'a')
  t.equal(names('overdue', null), 'a')
  t.equal(names('edited', null), 'c')
  t.equal(names(null, null), 'bac')
  const [one, atLeastOne] = [{ value: 1, relation: 'exact' }, { value: 1, relation: 'at_least' }]
  t.strictSame(countSchedules({ schedules: SCHEDULES, isCut: false }, undefined), { missed: one, failing: one, overdue: one, edited: one })
  t.strictSame(
    countSchedules({ schedules: SCHEDULES, isCut: true }, 7),
    { missed: atLeastOne, failing: atLeastOne, overdue: { value: 7, relation: 'exact' }, edited: atLeastOne }, 'for a list that was cut'
  )
  for (const text of [null, '', 'Missed', 'toString']) t.equal(readScheduleFilter(text), null, `${text}`)
})

t.test('schedules sort by known values: a disabled one has no next run, and unknown counts are not zero', async t => {
  const by = (column: string, isDescending = false) => names(null, { column, isDescending })
  t.equal(by('task'), 'abc')
  t.equal(by('next'), 'abc')
  t.equal(by('next', true), 'bac')
  t.equal(by('success'), 'abc')
  t.equal(by('runs', true), 'bac')
  t.equal(by('missed', true), 'bac')
})
