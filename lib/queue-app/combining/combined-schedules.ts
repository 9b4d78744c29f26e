import { createTaskDashboardError } from '../../errors.ts'
import { bySoonest, isAfter } from '../../scheduler/list-schedules.ts'
import type { ScheduleRecord, Schedules } from '../../scheduler/schedules.ts'
import { readBoth, settled } from './either.ts'
import type { TasksOfExistingQueues } from './tasks-of-existing-queues.ts'

/** Schedules of the app and job schedulers of existing queues. A list omits those whose broker is down, and health reports that. */
export function createCombinedSchedules(own: Schedules, others: Schedules, tasks: TasksOfExistingQueues): Schedules {
  /** The two have different forms of ids, so no id is in both. */
  async function found(
    ...parameters: Parameters<Schedules['get']>
  ): Promise<{ readonly record: ScheduleRecord | null; readonly of: Schedules }> {
    const ofOwn = await settled(() => own.get(...parameters))
    if ('value' in ofOwn && ofOwn.value !== null) return { record: ofOwn.value, of: own }
    const record = await others.get(...parameters)
    if (record !== null) return { record, of: others }
    if ('error' in ofOwn) throw ofOwn.error
    return { record: null, of: own }
  }

  const change = async <Result>(scheduleId: string, write: (schedules: Schedules) => Promise<Result>): Promise<Result> => {
    const { record, of } = await found(scheduleId)
    if (record === null) throw createTaskDashboardError('SCHEDULE_NOT_FOUND', [scheduleId])
    return write(of)
  }

  return {
    async list(query = {}) {
      const { taskName, limit = Infinity, after, order } = query
      if (taskName !== undefined) return tasks.has(taskName) ? others.list(query) : own.list(query)
      const lists = await readBoth(() => own.list(query), () => others.list(query))
      const all = [...lists.own ?? [], ...lists.others ?? []]
      all.sort(order === 'nextRun' ? bySoonest : (one, other) => isAfter(one, other) ? 1 : -1)
      return all.filter(record => after === undefined || isAfter(record, after)).slice(0, limit)
    },
    async count() {
      const counts = await readBoth(() => own.count(), () => others.count())
      const all = [counts.own, counts.others].filter(each => each !== null)
      const sum = (field: 'total' | 'enabled' | 'overdue'): number => all.reduce((total, each) => total + each[field], 0)
      return {
        total: sum('total'), enabled: sum('enabled'), overdue: sum('overdue'),
        ofTask: taskName => (tasks.has(taskName) ? counts.others : counts.own)?.ofTask(taskName) ?? null
      }
    },
    get: async (...parameters) => (await found(...parameters)).record,
    async create(input, operation, isOfTask) {
      // A task that the caller may not see is treated as one that does not exist.
      const isOthers = tasks.has(input.taskName) && isOfTask?.(input.taskName) !== false
      return (isOthers ? others : own).create(input, operation, isOfTask)
    },
    setEnabled: (scheduleId, ...rest) => change(scheduleId, schedules => schedules.setEnabled(scheduleId, ...rest)),
    update: (scheduleId, ...rest) => change(scheduleId, schedules => schedules.update(scheduleId, ...rest)),
    runNow: (scheduleId, ...rest) => change(scheduleId, schedules => schedules.runNow(scheduleId, ...rest)),
    delete: scheduleId => change(scheduleId, schedules => schedules.delete(scheduleId)),
    misses: scheduleId => change(scheduleId, schedules => schedules.misses(scheduleId)),
    async agenda(from, to) {
      const agendas = await readBoth(() => own.agenda(from, to), () => others.agenda(from, to))
      const all = [agendas.own, agendas.others].filter(each => each !== null)
      const { hours } = all[0]!
      return {
        hours,
        totals: hours.map((_, index) => all.reduce((sum, { totals }) => sum + totals[index]!, 0)),
        schedules: all.flatMap(({ schedules }) => schedules)
      }
    },
    preview: own.preview,
    status() {
      const [ofOwn, ofOthers] = [own.status(), others.status()]
      if (ofOthers.healthy) return ofOwn
      return { healthy: false, message: [...ofOwn.healthy ? [] : [ofOwn.message], `of existing queues: ${ofOthers.message}`].join('; ') }
    }
  }
}
