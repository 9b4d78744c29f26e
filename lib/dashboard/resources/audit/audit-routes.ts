import { Ref } from '../../../../schemas/common.ts'
import { AuditPage, AuditQuery } from '../../../../schemas/audit.ts'
import type { Api } from '../../http/routes/api.ts'
import { auditReaderOf } from '../../decorators.ts'
import { described, errors, unchanged } from '../responses.ts'

export function auditRoutes(api: Api): void {
  api.route({
    method: 'GET',
    url: '/api/audit',
    config: { action: 'audit:view', polled: true },
    schema: {
      operationId: 'listAuditEntries',
      tags: ['audit'],
      summary: 'Who changed what, newest first; refused writes too',
      querystring: AuditQuery,
      response: { 200: described('A page of entries', Ref(AuditPage)), ...unchanged, ...errors }
    },
    handler: request => auditReaderOf(request).list(request.query)
  })
}
