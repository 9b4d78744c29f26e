import { createTaskDashboardError } from '../../errors.ts'
import { countSchedules } from '../../scheduler/list-schedules.ts'
import type { AgendaResult, Schedules } from '../../scheduler/schedules.ts'
import { totalsOf } from '../../scheduler/timing/agenda.ts'
import type { Scope } from './scope.ts'

/** The schedules of the tasks in a scope, as if there were no others. */
export function schedulesWithinScope(schedules: Schedules, { sees }: Scope): Schedules {
  const get = async (scheduleId: string) => {
    const record = await schedules.get(scheduleId, sees)
    return record !== null && sees(record.taskName) ? record : null
  }
  const whenSeen = async <Result>(scheduleId: string, work: () => Promise<Result>): Promise<Result> => {
    if (await get(scheduleId) === null) throw createTaskDashboardError('SCHEDULE_NOT_FOUND', [scheduleId])
    return work()
  }
  const list: Schedules['list'] = query =>
    schedules.list({ ...query, isOfTask: name => sees(name) && query?.isOfTask?.(name) !== false })
  return {
    list,
    async count() {
      const [records, { ofTask }] = await Promise.all([list(), schedules.count()])
      return { ...countSchedules(records), ofTask: taskName => sees(taskName) ? ofTask(taskName) : 0 }
    },
    get,
    create: (input, operation) => schedules.create(input, operation, sees),
    setEnabled: (scheduleId, ...rest) => whenSeen(scheduleId, () => schedules.setEnabled(scheduleId, ...rest)),
    update: (scheduleId, ...rest) => whenSeen(scheduleId, () => schedules.update(scheduleId, ...rest)),
    runNow: (scheduleId, ...rest) => whenSeen(scheduleId, () => schedules.runNow(scheduleId, ...rest)),
    delete: scheduleId => whenSeen(scheduleId, () => schedules.delete(scheduleId)),
    misses: scheduleId => whenSeen(scheduleId, () => schedules.misses(scheduleId)),
    agenda: async (from, to) => agendaOf(await schedules.agenda(from, to), sees),
    preview: schedules.preview,
    status() {
      // The original message counts schedules and names tasks that lack a process.
      const { healthy } = schedules.status()
      return { healthy, message: healthy ? 'running' : 'needs attention' }
    }
  }
}

function agendaOf(agenda: AgendaResult, sees: Scope['sees']): AgendaResult {
  const seen = agenda.schedules.filter(({ taskName }) => sees(taskName))
  return { hours: agenda.hours, totals: totalsOf(agenda, seen), schedules: seen }
}
