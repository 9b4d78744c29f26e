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
      summary: 'Checks this mount',
      querystring: NoQuery,
      response: { 200: described('The findings, with the line of configuration that fixes each', Ref(Doctor)), ...errors }
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
      summary: 'Sends five events within a second, to check whether a proxy buffers streams',
      querystring: NoQuery,
      response: { 200: { description: 'The events', content: { 'text/event-stream': { schema: Type.String() } } }, ...errors }
    },
    handler(request, reply) {
      // Fastify would read the whole stream to answer HEAD.
      const events = request.method === 'HEAD' ? '' : streamProbeOf(request)()
      void reply.type('text/event-stream').headers(STREAM_HEADERS).send(events as never)
    }
  })
}
