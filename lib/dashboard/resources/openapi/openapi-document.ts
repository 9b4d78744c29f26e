import swagger from '@fastify/swagger'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Api } from '../../http/routes/api.ts'
import { namedSchemas } from '../../http/routes/compilers.ts'
import { takeIdempotencyKey } from '../../http/idempotency.ts'
import { auditWrites } from '../../audit/audit-writes.ts'
import { VERSION } from '../../../version.ts'
import { acceptNoBody } from '../../http/json-body.ts'
import { declareRoutes } from '../declare-routes.ts'

const description = `What a queue app does, and the management of its schedules.

Errors are problem details (RFC 9457). Names and ids in paths are percent-encoded, including \`/\` as \`%2F\`.
Unknown query parameters and unknown members of a body are refused. A body is at most 128 KiB long and 100 levels deep.`

let document: Promise<object> | undefined

/**
 * The API's OpenAPI 3.1 document: the same for every dashboard, created once. It comes from a separate instance that never listens, so that
 * a host's @fastify/swagger and ours do not see each other's routes.
 */
export function openApiDocument(): Promise<object> {
  document ??= createDocument()
  return document
}

async function createDocument(): Promise<object> {
  const app = Fastify()
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'fastify-task-dashboard',
        version: VERSION,
        description,
        license: { name: 'MIT', identifier: 'MIT' }
      },
      // Relative to the document's own address.
      servers: [{ url: '..', description: 'The path under which the dashboard is mounted' }],
      tags: [
        { name: 'system', description: 'Health, statistics and the API itself' },
        { name: 'tasks', description: 'Registered tasks' },
        { name: 'executions', description: 'Runs of tasks, in flight and finished' },
        { name: 'bulk', description: 'Actions on everything that matches a filter' },
        { name: 'schedules', description: 'Recurring runs' },
        { name: 'audit', description: 'Who changed what' },
        { name: 'workers', description: 'Processes that run tasks, and the queues they take executions from' }
      ],
      security: [{}, { basicAuth: [] }],
      components: { securitySchemes: { basicAuth: { type: 'http', scheme: 'basic', description: 'With the option `auth`' } } }
    },
    refResolver: { buildLocalReference: (json, _base, _fragment, index) => nameOf(json['$id']) ?? `def-${index}` },
    convertConstToEnum: false,
    stripBasePath: false
  })
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => JSON.stringify)
  for (const schema of Object.values(namedSchemas)) app.addSchema(schema)
  const bodyMayBeMissing = new Set<string>()
  declareRoutes(asDeclared(app, bodyMayBeMissing))
  await app.ready()
  const made = app.swagger()
  await app.close()
  for (const operation of Object.values(made.paths ?? {}).flatMap(path => Object.values(path as Record<string, Operation>))) {
    if (bodyMayBeMissing.has(operation.operationId)) operation.requestBody!.required = false
  }
  return made
}

interface Operation { readonly operationId: string; readonly requestBody?: { required: boolean } }

/** Routes under their declared addresses, as the document shows them. */
function asDeclared(app: FastifyInstance, bodyMayBeMissing: Set<string>): Api {
  return {
    route(options) {
      if (options.preValidation === acceptNoBody) bodyMayBeMissing.add(options.schema!.operationId!)
      app.route(takeIdempotencyKey(auditWrites(options)) as unknown as Parameters<FastifyInstance['route']>[0])
    }
  }
}

function nameOf(id: unknown): string | undefined {
  return typeof id === 'string' ? id.replace(/^TaskDashboard/, '') : undefined
}
