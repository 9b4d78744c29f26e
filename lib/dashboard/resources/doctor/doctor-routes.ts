import { Type } from '@sinclair/typebox'
import { NoQuery, Ref } from '../../../../schemas/common.ts'
import { Doctor } from '../../../../schemas/doctor.ts'
import { pathOf } from '../../http/routes/address.ts'
import type { Api } from '../../http/routes/api.ts'
import { doctorOf, streamProbeOf } from '../../decorators.ts'
import { STREAM_HEADERS } from './stream-probe.ts'
import { described, errors } from '../responses.ts'

export function doctorRoutes(api: Api): void {
  api.route({
    method: 'GET',
    url: '/api/doctor',
    config: { action: 'doctor:view' },
    schema: {
      operationId: 'getDoctor',
      tags: ['system'],
      summary: 'What is wrong with this mount',
      querystring: NoQuery,
      response: { 200: described('What was looked at, and the lines of configuration that mend it', Ref(Doctor)), ...errors }
    },
    handler: request => doctorOf(request)({ headers: request.headers, path: pathOf(request.originalUrl) })
  })

  api.route({
    method: 'GET',
    url: '/api/doctor/stream',
    config: { action: 'doctor:view' },
    schema: {
      operationId: 'getDoctorStream',
      tags: ['system'],
      summary: 'Five events within a second, to see whether a proxy holds streams back',
      querystring: NoQuery,
      response: { 200: { description: 'The events', content: { 'text/event-stream': { schema: Type.String() } } }, ...errors }
    },
    handler(request, reply) {
      // Fastify would read the whole stream for the head of it.
      const events = request.method === 'HEAD' ? '' : streamProbeOf(request)()
      void reply.type('text/event-stream').headers(STREAM_HEADERS).send(events as never)
    }
  })
}
