import type { FastifyRequest } from 'fastify'
import { NoQuery, Ref } from '../../../../schemas/common.ts'
import { Queue, QueueList, QueueLimitsInput, QueueNameParams, QueuePauseInput } from '../../../../schemas/queue.ts'
import type { Api } from '../../http/routes/api.ts'
import { acceptNoBody } from '../../http/json-body.ts'
import { queueCommandsOf, queuesOf, userOf } from '../../decorators.ts'
import { described, errors, notFound, unchanged, writeErrors } from '../responses.ts'

export function queueRoutes(api: Api): void {
  api.route({
    method: 'GET',
    url: '/api/queues',
    config: { action: 'queues:view', polled: true },
    schema: {
      operationId: 'listQueues',
      tags: ['workers'],
      summary: 'The queue of every registered task',
      querystring: NoQuery,
      response: { 200: described('The queues, by task', QueueList), ...unchanged, ...errors }
    },
    handler: request => queuesOf(request).list()
  })

  api.route({
    method: 'PUT',
    url: '/api/queues/:name/pause',
    config: { action: 'queues:pause', before: standing },
    schema: {
      operationId: 'pauseQueue',
      tags: ['workers'],
      summary: 'Pauses a queue: no process takes another execution from it, and what runs goes on',
      params: QueueNameParams,
      querystring: NoQuery,
      body: Ref(QueuePauseInput),
      response: { 200: described('The queue, with its pause', Ref(Queue)), ...writeErrors, ...notFound }
    },
    preValidation: acceptNoBody,
    handler: async request => queueCommandsOf(request).pause(request.params.name, request.body, await userOf(request))
  })

  api.route({
    method: 'PUT',
    url: '/api/queues/:name/resume',
    config: { action: 'queues:resume', before: standing },
    schema: {
      operationId: 'resumeQueue',
      tags: ['workers'],
      summary: 'Resumes a queue, whoever paused it',
      params: QueueNameParams,
      querystring: NoQuery,
      response: { 200: described('The queue', Ref(Queue)), ...writeErrors, ...notFound }
    },
    handler: request => queueCommandsOf(request).resume(request.params.name)
  })

  api.route({
    method: 'PUT',
    url: '/api/queues/:name/limits',
    config: { action: 'queues:limit', before: standing },
    schema: {
      operationId: 'limitQueue',
      tags: ['workers'],
      summary: 'Limits a queue over the workers of all processes, without a deploy',
      params: QueueNameParams,
      querystring: NoQuery,
      body: Ref(QueueLimitsInput),
      response: { 200: described('The queue, with its limits', Ref(Queue)), ...writeErrors, ...notFound }
    },
    preValidation: acceptNoBody,
    handler: async request => queueCommandsOf(request).limit(request.params.name, request.body, await userOf(request))
  })
}

function standing(request: FastifyRequest): Promise<Queue | null> {
  return queuesOf(request).standing((request.params as { name: string }).name)
}
