import type { ExecutionPage, Schedule } from '../../../schemas/index.ts'
import { done, type Deputy, type Noun } from './noun.ts'
import { IDLE, QUIET, type Tasks } from './team.ts'

/** Due rarely, so that no planned run interferes. */
const YEARLY = { cron: '0 4 1 1 *', timezone: 'UTC' }
const STALE = '"0"'

export function schedules({ queueApp: { operations }, goneSchedules }: Tasks, { read }: Deputy): Noun {
  const created = (enabled: boolean) => async (): Promise<string> =>
    (await operations.createSchedule({ taskName: IDLE, timing: YEARLY, enabled, description: 'as it was' })).scheduleId
  return {
    enter: {
      enabled: created(true),
      disabled: created(false),
      'changed since it was read': created(true),
      'of a task that is gone': async () => goneSchedules.pop()!,
      async deleted() {
        const id = await created(true)()
        await operations.deleteSchedule(id)
        return id
      }
    },
    async standing(id) {
      const { enabled, description, version, code } = await read<Schedule & { code?: string }>(`schedules/${id}`)
      if (code !== undefined) return { code }
      const { total } = await read<ExecutionPage>(`schedules/${id}/executions?limit=1`)
      return { enabled, description, version, total }
    },
    writes: {
      'PUT /api/schedules/:id/enable': id => ({ path: `/schedules/${id}/enable` }),
      'PUT /api/schedules/:id/disable': id => ({ path: `/schedules/${id}/disable` }),
      'PATCH /api/schedules/:id': (id, state) => ({
        path: `/schedules/${id}`, body: { description: 'changed' },
        ...state === 'changed since it was read' && { headers: { 'if-match': STALE } }
      }),
      'POST /api/schedules/:id/run': id => ({ path: `/schedules/${id}/run` }),
      'DELETE /api/schedules/:id': id => ({ path: `/schedules/${id}` })
    },
    expected: EXPECTED
  }
}

const ENABLED = done({ enabled: true, description: 'as it was' })
const DISABLED = done({ enabled: false, description: 'as it was' })
const RAN = done({ execution_id: String }, { total: { value: 1 } })
const DELETED = done({ deleted: true }, { code: 'SCHEDULE_NOT_FOUND' })
const deleted = 'SCHEDULE_NOT_FOUND'

const EXPECTED: Noun['expected'] = {
  'PUT /api/schedules/:id/enable': {
    enabled: ENABLED, disabled: ENABLED, 'changed since it was read': ENABLED, 'of a task that is gone': ENABLED, deleted
  },
  'PUT /api/schedules/:id/disable': {
    enabled: DISABLED, disabled: DISABLED, 'changed since it was read': DISABLED, 'of a task that is gone': DISABLED, deleted
  },
  'PATCH /api/schedules/:id': {
    enabled: done({ enabled: true, description: 'changed' }), disabled: done({ enabled: false, description: 'changed' }),
    'changed since it was read': 'CONFLICT', 'of a task that is gone': done({ enabled: true, description: 'changed' }), deleted
  },
  'POST /api/schedules/:id/run': {
    // Like a planned run, it waits for a process that has the task.
    enabled: RAN, disabled: RAN, 'changed since it was read': RAN, 'of a task that is gone': RAN, deleted
  },
  'DELETE /api/schedules/:id': {
    enabled: DELETED, disabled: DELETED, 'changed since it was read': DELETED, 'of a task that is gone': DELETED, deleted
  }
}

/** The creation of schedules. The states are those of the task. */
export function newSchedules(_tasks: Tasks, { read }: Deputy): Noun {
  const input = { description: 'new', enabled: false }
  return {
    enter: { 'without a worker': async () => IDLE, 'with a worker': async () => QUIET, unknown: async () => 'own:unknown' },
    standing: async name => (await read<Schedule[]>(`schedules?task_name=${encodeURIComponent(name)}`)).length,
    writes: {
      'POST /api/schedules/cron': task_name => ({ path: '/schedules/cron', body: { ...input, ...YEARLY, task_name } }),
      'POST /api/schedules/interval': task_name => ({ path: '/schedules/interval', body: { ...input, interval_ms: 86_400_000, task_name } })
    },
    expected: Object.fromEntries(['cron', 'interval'].map(type => {
      const made = done({ schedule_id: String, schedule_type: type, enabled: false, description: 'new' }, {})
      return [`POST /api/schedules/${type}`, { 'without a worker': made, 'with a worker': made, unknown: 'TASK_NOT_REGISTERED' }]
    }))
  }
}

/** Runs of tasks. */
export function tasks(_tasks: Tasks, { read }: Deputy): Noun {
  const ran = (name: string) => done({ execution_id: String, task_name: name }, {})
  return {
    enter: { 'without a worker': async () => IDLE, 'with a worker': async () => QUIET, unknown: async () => 'own:unknown' },
    standing: async name => (await read<ExecutionPage>(`executions?task_name=${encodeURIComponent(name)}&limit=1`)).total,
    writes: { 'POST /api/tasks/:name/run': name => ({ path: `/tasks/${encodeURIComponent(name)}/run`, body: { args: [1] } }) },
    expected: {
      'POST /api/tasks/:name/run': { 'without a worker': ran(IDLE), 'with a worker': ran(QUIET), unknown: 'TASK_NOT_FOUND' }
    }
  }
}
