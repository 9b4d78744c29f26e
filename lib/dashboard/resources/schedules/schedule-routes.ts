import type { FastifyRequest } from 'fastify'
import { NoQuery, Ref, ScheduleIdParams } from '../../../../schemas/common.ts'
import { ExecutionPage, ScheduleExecutionListQuery } from '../../../../schemas/execution.ts'
import {
  CronScheduleInput, IfMatchHeaders, IntervalScheduleInput, Schedule, ScheduleAgenda, ScheduleAgendaQuery, ScheduleChanges, ScheduleDeleted,
  ScheduleList,
  ScheduleListQuery,
  ScheduleMissPage, SchedulePreview, SchedulePreviewQuery, ScheduleRun
} from '../../../../schemas/schedule.ts'
import type { Api } from '../../http/routes/api.ts'
import { executionsOf, scheduleCommandsOf, schedulesOf, userOf } from '../../decorators.ts'
import { operationOf } from '../../http/idempotency.ts'
import { pageOf } from '../answer.ts'
import { versionFrom } from '../../http/etag.ts'
import { linkToNext, locationOf } from '../../http/routes/links.ts'
import { conflict, described, errors, notFound, unchanged, writeErrors } from '../responses.ts'

export function scheduleRoutes(api: Api): void {
  api.route({
    method: 'GET',
    url: '/api/schedules',
    config: { action: 'schedules:view', polled: true },
    schema: {
      operationId: 'listSchedules',
      tags: ['schedules'],
      summary: 'Lists schedules, oldest first by default',
      querystring: ScheduleListQuery,
      response: {
        200: described('The schedules', ScheduleList, { Link: 'Address of the next page, relative to the request; absent on the last ' +
          'page' }),
        ...unchanged, ...errors
      }
    },
    async handler(request, reply) {
      const { items, nextCursor } = await schedulesOf(request).list(request.query)
      if (nextCursor !== null) reply.header('link', linkToNext(request.url, nextCursor))
      return reply.send(items)
    }
  })

  api.route({
    method: 'GET',
    url: '/api/schedules/preview',
    config: { action: 'schedules:view' },
    schema: {
      operationId: 'previewSchedule',
      tags: ['schedules'],
      summary: 'Previews the runs of a cron expression or an interval',
      querystring: SchedulePreviewQuery,
      response: { 200: described('The next runs', Ref(SchedulePreview)), ...errors }
    },
    handler: request => schedulesOf(request).preview(request.query)
  })

  api.route({
    method: 'GET',
    url: '/api/schedules/agenda',
    config: { action: 'schedules:view', polled: true },
    schema: {
      operationId: 'getScheduleAgenda',
      tags: ['schedules'],
      summary: 'Planned runs of the enabled schedules, hour by hour',
      querystring: ScheduleAgendaQuery,
      response: { 200: described('The agenda', Ref(ScheduleAgenda)), ...unchanged, ...errors }
    },
    handler: request => schedulesOf(request).agenda(request.query)
  })

  api.route({
    method: 'POST',
    url: '/api/schedules/cron',
    config: { action: 'schedules:create' },
    schema: {
      operationId: 'createCronSchedule',
      tags: ['schedules'],
      summary: 'Creates a schedule with a cron expression',
      querystring: NoQuery,
      body: Ref(CronScheduleInput),
      response: {
        201: described('The schedule', Ref(Schedule), { Location: 'Address of the schedule, relative to the request' }), ...writeErrors
      }
    },
    async handler(request, reply) {
      const schedule = await scheduleCommandsOf(request).create(request.body, operationOf(request))
      return reply.code(201).header('location', locationOf(schedule.schedule_id)).send(schedule)
    }
  })

  api.route({
    method: 'POST',
    url: '/api/schedules/interval',
    config: { action: 'schedules:create' },
    schema: {
      operationId: 'createIntervalSchedule',
      tags: ['schedules'],
      summary: 'Creates a schedule that runs at an interval',
      querystring: NoQuery,
      body: Ref(IntervalScheduleInput),
      response: {
        201: described('The schedule', Ref(Schedule), { Location: 'Address of the schedule, relative to the request' }), ...writeErrors
      }
    },
    async handler(request, reply) {
      const schedule = await scheduleCommandsOf(request).create(request.body, operationOf(request))
      return reply.code(201).header('location', locationOf(schedule.schedule_id)).send(schedule)
    }
  })

  api.route({
    method: 'GET',
    url: '/api/schedules/:id',
    config: { action: 'schedules:view', polled: true },
    schema: {
      operationId: 'getSchedule',
      tags: ['schedules'],
      summary: 'One schedule',
      params: ScheduleIdParams,
      querystring: NoQuery,
      response: { 200: described('The schedule', Ref(Schedule)), ...unchanged, ...errors, ...notFound }
    },
    handler: request => schedulesOf(request).get(request.params.id)
  })

  api.route({
    method: 'PATCH',
    url: '/api/schedules/:id',
    config: { action: 'schedules:update', before: standing },
    schema: {
      operationId: 'updateSchedule',
      tags: ['schedules'],
      summary: 'Changes fields of a schedule; fields you leave out do not change',
      params: ScheduleIdParams,
      querystring: NoQuery,
      headers: IfMatchHeaders,
      body: Ref(ScheduleChanges),
      response: {
        200: described('The schedule', Ref(Schedule), { ETag: 'Its version, for If-Match' }), ...writeErrors, ...notFound, ...conflict
      }
    },
    async handler(request, reply) {
      const schedule = await scheduleCommandsOf(request).update(
        request.params.id, request.body, await userOf(request), versionFrom(request.headers['if-match'])
      )
      return reply.header('etag', `"${schedule.version}"`).send(schedule)
    }
  })

  api.route({
    method: 'POST',
    url: '/api/schedules/:id/run',
    config: { action: 'schedules:run', before: standing },
    schema: {
      operationId: 'runSchedule',
      tags: ['schedules'],
      summary: 'Runs a schedule now, whether it is enabled or not; its next planned run does not move',
      params: ScheduleIdParams,
      querystring: NoQuery,
      response: { 202: described('The execution was enqueued', Ref(ScheduleRun)), ...writeErrors, ...notFound, ...conflict }
    },
    async handler(request, reply) {
      return reply.code(202).send(await scheduleCommandsOf(request).run(request.params.id, operationOf(request)))
    }
  })

  api.route({
    method: 'GET',
    url: '/api/schedules/:id/executions',
    config: { action: 'executions:view', polled: true },
    schema: {
      operationId: 'listScheduleExecutions',
      tags: ['schedules', 'executions'],
      summary: 'The executions of one schedule, newest first',
      params: ScheduleIdParams,
      querystring: ScheduleExecutionListQuery,
      response: { 200: described('A page of executions', Ref(ExecutionPage)), ...unchanged, ...errors, ...notFound }
    },
    handler(request) {
      const { id } = request.params
      return pageOf(schedulesOf(request).get(id), executionsOf(request).list({ ...request.query, schedule_id: id }))
    }
  })

  api.route({
    method: 'GET',
    url: '/api/schedules/:id/misses',
    config: { action: 'schedules:view', polled: true },
    schema: {
      operationId: 'listScheduleMisses',
      tags: ['schedules'],
      summary: 'Lists missed and late runs, newest first; the last 50 entries are kept',
      params: ScheduleIdParams,
      querystring: NoQuery,
      response: { 200: described('All kept entries', Ref(ScheduleMissPage)), ...unchanged, ...errors, ...notFound }
    },
    handler: request => schedulesOf(request).misses(request.params.id)
  })

  api.route({
    method: 'DELETE',
    url: '/api/schedules/:id',
    config: { action: 'schedules:delete', before: standing },
    schema: {
      operationId: 'deleteSchedule',
      tags: ['schedules'],
      summary: 'Deletes a schedule; its executions stay in the history',
      params: ScheduleIdParams,
      querystring: NoQuery,
      response: { 200: described('The schedule was deleted', Ref(ScheduleDeleted)), ...writeErrors, ...notFound }
    },
    handler: request => scheduleCommandsOf(request).delete(request.params.id)
  })

  api.route({
    method: 'PUT',
    url: '/api/schedules/:id/enable',
    config: { action: 'schedules:enable', before: standing },
    schema: {
      operationId: 'enableSchedule',
      tags: ['schedules'],
      summary: 'Enables a schedule',
      params: ScheduleIdParams,
      querystring: NoQuery,
      response: { 200: described('The schedule', Ref(Schedule)), ...writeErrors, ...notFound }
    },
    handler: async request => scheduleCommandsOf(request).setEnabled(request.params.id, true, await userOf(request))
  })

  api.route({
    method: 'PUT',
    url: '/api/schedules/:id/disable',
    config: { action: 'schedules:disable', before: standing },
    schema: {
      operationId: 'disableSchedule',
      tags: ['schedules'],
      summary: 'Stops a schedule from running; no run starts after the answer',
      params: ScheduleIdParams,
      querystring: NoQuery,
      response: { 200: described('The schedule', Ref(Schedule)), ...writeErrors, ...notFound }
    },
    handler: async request => scheduleCommandsOf(request).setEnabled(request.params.id, false, await userOf(request))
  })
}

function standing(request: FastifyRequest): Promise<Schedule | null> {
  return schedulesOf(request).standing((request.params as { id: string }).id)
}
