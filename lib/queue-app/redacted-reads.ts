import type { Engine } from '../engine/engine.ts'
import { createTaskDashboardError } from '../errors.ts'
import type { Execution } from '../execution.ts'
import type { ScheduleRecord, Schedules } from '../scheduler/scheduler.ts'
import { REDACTED, REDACTION_FAILED, type Redaction } from './redaction.ts'

/** An engine whose executions are read without secrets; it runs them with what they have. */
export function withRedactedReads(engine: Engine, redaction: Redaction): Engine {
  return {
    ...engine,
    async find(taskNames, executionId) {
      const found = await engine.find(taskNames, executionId)
      return found && redaction.execution(found)
    },
    async inFlight(query) {
      const page = await engine.inFlight(query)
      return { ...page, executions: await Promise.all(page.executions.map(redactListed)) }
    },
    async * finishedSince(taskName, sinceMs, missing) {
      for await (const executions of engine.finishedSince(taskName, sinceMs, missing)) yield executions.map(each => redaction.execution(each))
    }
  }

  /** What it says of itself may hold its arguments, which lists do not read. */
  async function redactListed(execution: Execution): Promise<Execution> {
    const { taskName, error, progress } = execution
    if (error === null && progress === null) return execution
    const args = (await engine.find([taskName], execution.executionId))?.args ?? null
    return { ...execution, error: error && redaction.error(taskName, error, args), progress: redaction.progress(taskName, progress, args) }
  }
}

/** Schedules as they may be shown; what was shown is not taken for arguments. Rejects with INVALID_SCHEDULE then. */
export function withRedactedArgs(schedules: Schedules, redaction: Redaction): Schedules {
  return {
    ...schedules,
    async list(query) { return (await schedules.list(query)).map(shown) },
    async get(scheduleId) {
      const record = await schedules.get(scheduleId)
      return record && shown(record)
    },
    async create(input) {
      refuseShownArgs(input.args)
      return shown(await schedules.create(input))
    },
    async setEnabled(...parameters) { return shown(await schedules.setEnabled(...parameters)) },
    async update(scheduleId, changes, options) {
      refuseShownArgs(changes.args)
      return shown(await schedules.update(scheduleId, changes, options))
    }
  }

  function shown(record: ScheduleRecord): ScheduleRecord {
    const argsOf = (value: unknown) => Array.isArray(value) ? redaction.args(record.taskName, value) : value
    const drift = record.drift.map(each => each.field === 'args' ? { ...each, code: argsOf(each.code), live: argsOf(each.live) } : each)
    return { ...record, args: redaction.args(record.taskName, record.args), drift }
  }
}

function refuseShownArgs(args: unknown): void {
  if (args === undefined || !holdsReplacement(args)) return
  const message = `must not hold ${REDACTED} or ${REDACTION_FAILED}, which stand for values that are not shown; leave args out to keep them, or send the values`
  throw createTaskDashboardError('INVALID_SCHEDULE', [`args ${message}`], { errors: [{ pointer: '/args', message }] })
}

function holdsReplacement(args: unknown): boolean {
  const json = JSON.stringify(args) as string | undefined
  return json !== undefined && (json.includes(REDACTED) || json.includes(REDACTION_FAILED))
}
