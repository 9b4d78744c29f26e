import { NoQuery, Ref, ScheduleIdParams } from '../../../schemas/common.ts'
import {
  CronScheduleInput, IntervalScheduleInput, Schedule, ScheduleDeleted, ScheduleList, ScheduleListQuery, SchedulePreview, SchedulePreviewQuery
} from '../../../schemas/schedule.ts'
import type { Api } from '../api.ts'
import { schedulesOf } from '../decorators.ts'
import { linkToNext, locationOf } from '../links.ts'
import { described, errors, notFound, unchanged, writeErrors } from './responses.ts'

export function scheduleRoutes(api: Api): void {
  api.route({
    method: 'GET',
    url: '/api/schedules',
    config: { action: 'schedules:view', polled: true },
    schema: {
      operationId: 'listSchedules',
      tags: ['schedules'],
      summary: 'The schedules, oldest first',
      querystring: ScheduleListQuery,
      response: { 200: described('The schedules', ScheduleList, { Link: 'Address of the next page, relative to the one asked; absent on the last' }), ...unchanged, ...errors }
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
      summary: 'When a schedule would run',
      querystring: SchedulePreviewQuery,
      response: { 200: described('The next runs', Ref(SchedulePreview)), ...errors }
    },
    handler: (request) => schedulesOf(request).preview(request.query)
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
      response: { 201: described('The schedule', Ref(Schedule), { Location: 'Address of the schedule, relative to the one asked' }), ...writeErrors }
    },
    async handler(request, reply) {
      const schedule = await schedulesOf(request).create(request.body)
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
      response: { 201: described('The schedule', Ref(Schedule), { Location: 'Address of the schedule, relative to the one asked' }), ...writeErrors }
    },
    async handler(request, reply) {
      const schedule = await schedulesOf(request).create(request.body)
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
    handler: (request) => schedulesOf(request).get(request.params.id)
  })

  api.route({
    method: 'DELETE',
    url: '/api/schedules/:id',
    config: { action: 'schedules:delete' },
    schema: {
      operationId: 'deleteSchedule',
      tags: ['schedules'],
      summary: 'Deletes a schedule; what it ran stays in the history',
      params: ScheduleIdParams,
      querystring: NoQuery,
      response: { 200: described('It is gone', Ref(ScheduleDeleted)), ...writeErrors, ...notFound }
    },
    handler: (request) => schedulesOf(request).delete(request.params.id)
  })

  api.route({
    method: 'PUT',
    url: '/api/schedules/:id/enable',
    config: { action: 'schedules:enable' },
    schema: {
      operationId: 'enableSchedule',
      tags: ['schedules'],
      summary: 'Lets a schedule run again',
      params: ScheduleIdParams,
      querystring: NoQuery,
      response: { 200: described('The schedule', Ref(Schedule)), ...writeErrors, ...notFound }
    },
    handler: (request) => schedulesOf(request).setEnabled(request.params.id, true)
  })

  api.route({
    method: 'PUT',
    url: '/api/schedules/:id/disable',
    config: { action: 'schedules:disable' },
    schema: {
      operationId: 'disableSchedule',
      tags: ['schedules'],
      summary: 'Stops a schedule from running; no run starts after the answer',
      params: ScheduleIdParams,
      querystring: NoQuery,
      response: { 200: described('The schedule', Ref(Schedule)), ...writeErrors, ...notFound }
    },
    handler: (request) => schedulesOf(request).setEnabled(request.params.id, false)
  })
}
