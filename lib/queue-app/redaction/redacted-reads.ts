import type { Engine } from '../../engine/engine.ts'
import { needsArgs } from '../../engine/in-flight/in-flight-order.ts'
import { createTaskDashboardError } from '../../errors.ts'
import type { Execution } from '../../execution.ts'
import { isSameJson } from '../../json/same-json.ts'
import type { ScheduleDocument } from '../../scheduler/definitions/schedule-store.ts'
import type { ScheduleRecord, Schedules } from '../../scheduler/schedules.ts'
import { REDACTED, REDACTION_FAILED } from '../../../schemas/limits.ts'
import { hidesValues } from './redaction-paths.ts'
import type { Redaction } from './redaction.ts'

/** An engine whose executions are read and searched without secrets. Handlers still get the original values. */
export function withRedactedReads(engine: Engine, redaction: Redaction): Engine {
  return {
    ...engine,
    async find(taskNames, executionId) {
      const found = await engine.find(taskNames, executionId)
      return found && redaction.execution(found)
    },
    async inFlight(query) {
      const shown = new Map<string, Execution>()
      const page = await engine.inFlight({
        ...query,
        // Only here are the arguments available. Their values may also occur in progress and errors.
        isWanted(execution, args) {
          const listed = redaction.listed(execution, args)
          if (query.isWanted?.(listed.execution, listed.args) === false) return false
          shown.set(execution.executionId, listed.execution)
          return true
        },
        needsArgs: execution => (!redaction.hidesNothing && (execution.progress !== null || execution.error !== null)) ||
          needsArgs(execution, query)
      })
      return { ...page, executions: page.executions.map(({ executionId }) => shown.get(executionId)!) }
    },
    ...engine.jobFacts && {
      async jobFacts(taskNames, executionId) {
        const facts = await engine.jobFacts!(taskNames, executionId)
        if (facts === null || facts.deduplication === null || redaction.hidesNothing) return facts
        // Owners often build such keys from the job's data.
        const execution = await engine.find(taskNames, executionId)
        const { id, ...deduplication } = facts.deduplication
        return { ...facts, deduplication: { ...deduplication, id: execution === null ? REDACTED : redaction.textOf(execution, id) } }
      }
    },
    async * finishedSince(taskName, sinceMs, missing) {
      for await (const executions of engine.finishedSince(taskName, sinceMs, missing))
        yield executions.map(each => redaction.recorded(each))
    },
    async * readFinished(references) {
      for await (const executions of engine.readFinished(references)) yield executions.map(each => redaction.recorded(each))
    }
  }
}

/** Redacts schedules for display. Rejects with INVALID_SCHEDULE if redacted values are sent back as arguments. */
export function withRedactedArgs(schedules: Schedules, redaction: Redaction): Schedules {
  return {
    ...schedules,
    async list(query) { return (await schedules.list(query)).map(shown) },
    async get(...parameters) {
      const record = await schedules.get(...parameters)
      return record && shown(record)
    },
    async create(input, ...rest) {
      refuseShownArgs(input.args)
      return shown(await schedules.create(input, ...rest))
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

/** Whether redaction changes a schedule's arguments. */
export function isRedacted({ taskName, args, code }: Pick<ScheduleDocument, 'taskName' | 'args' | 'code'>, redaction: Redaction): boolean {
  return [args, code?.args ?? []].some(each => !isSameJson(each, redaction.args(taskName, each)))
}

function refuseShownArgs(args: unknown): void {
  if (!hidesValues(JSON.stringify(args ?? []))) return
  const message =
    `must not contain ${REDACTED} or ${REDACTION_FAILED}, which replace hidden values; leave args out to keep ` +
      'them, or send the real values'
  throw createTaskDashboardError('INVALID_SCHEDULE', [`args ${message}`], { errors: [{ pointer: '/args', message }] })
}
