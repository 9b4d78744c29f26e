import t from 'tap'
import { ACTIONS, isAction } from '../../lib/dashboard/actions.ts'
import { acceptNoBody } from '../../lib/dashboard/http/json-body.ts'
import { openApiDocument } from '../../lib/dashboard/resources/openapi/openapi-document.ts'
import { declareRoutes } from '../../lib/dashboard/resources/declare-routes.ts'
import { readText } from '../support/source-files.ts'

interface Declared {
  method: string
  url: string
  config: { action?: unknown }
  preValidation?: unknown
  schema: Record<string, unknown> & {
    operationId?: string, tags?: string[], summary?: string, response?: Record<string, { description?: string }>
  }
}

const routes: Declared[] = []
declareRoutes({ route: options => { routes.push(options as unknown as Declared) } })

t.test('every route has an action, an operationId, tags, a summary and described responses', async t => {
  t.ok(routes.length > 10, 'there are routes')
  for (const { method, url, config, schema, preValidation } of routes) {
    const name = `${method} ${url}`
    t.ok(isAction(config.action), `${name}: action`)
    t.match(
      schema.operationId,
      /^(get|list|create|update|enable|disable|run|retry|cancel|resolve|reopen|delete|preview|pause|resume|limit|suspend|abort|undo)[A-Z][A-Za-z]+$/,
      `${name}: operationId is a verb and a noun`
    )
    t.ok((schema.tags ?? []).length > 0, `${name}: tags`)
    t.ok(schema.summary, `${name}: summary`)
    t.ok('querystring' in schema, `${name}: schema of the query`)
    t.equal('params' in schema, url.includes(':'), `${name}: schema of the path`)
    // A POST or PUT to the address of a resource needs no body, but may have one.
    const acceptsNone = (method === 'POST' || method === 'PUT') && url.includes(':')
    if (acceptsNone) t.equal(preValidation, 'body' in schema ? acceptNoBody : undefined, `${name}: a body may be left out`)
    else t.equal('body' in schema, method === 'PATCH' || method === 'POST', `${name}: schema of the body`)
    const answers = Object.entries(schema.response ?? {})
    t.ok(answers.length > 0, `${name}: responses`)
    t.same(answers.filter(([, answer]) => !answer.description).map(([status]) => status), [], `${name}: every response is described`)
  }
})

t.test('no two operations share a name', async t => {
  const names = routes.map(route => route.schema.operationId)
  t.equal(new Set(names).size, names.length)
})

t.test('every action is used by a route or by the pages', async t => {
  const used = new Set(['ui:view', ...routes.map(route => route.config.action)])
  t.same(ACTIONS.filter(action => !used.has(action)), [])
})

t.test('docs/access.md lists every action, and no other', async t => {
  const documented = [...readText('docs/access.md').matchAll(/^\| `([a-z]+:[a-z]+)` \|/gm)].map(match => match[1]!)
  t.same(documented.toSorted(), [...ACTIONS].toSorted())
})

t.test('docs/http-api.md lists every endpoint, and no other', async t => {
  const documented = [...readText('docs/http-api.md').matchAll(/^\| (GET|POST|PUT|PATCH|DELETE) \| `([^`]+)` \|/gm)].map(
    match => `${match[1]} ${match[2]}`
  )
  t.same(documented.toSorted(), routes.map(({ method, url }) => `${method} ${url.replace(/:(\w+)/g, '{$1}')}`).toSorted())
})

t.test('every input is limited', async t => {
  const unbounded: string[] = []
  const document = await openApiDocument() as OpenApiDocument
  for (const operation of Object.values(document.paths).flatMap(methods => Object.values(methods))) {
    for (const { name, schema } of operation.parameters ?? []) if (!isBounded(schema)) unbounded.push(`${operation.operationId} ${name}`)
  }
  for (const [name, schema] of Object.entries(document.components.schemas).filter(([name]) => name.endsWith('Input'))) {
    t.equal(schema.additionalProperties, false, `${name} refuses unknown members`)
    for (const [member, value] of Object.entries(schema.properties ?? {})) if (!isBounded(value)) unbounded.push(`${name}.${member}`)
  }
  t.same(unbounded, [])
})

interface OpenApiDocument {
  paths: Record<string, Record<string, { operationId: string, parameters?: Array<{ name: string, schema: Schema }> }>>
  components: { schemas: Record<string, Schema> }
}

interface Schema {
  type?: string
  enum?: unknown[]
  anyOf?: Schema[]
  $ref?: string
  maxLength?: number
  maximum?: number
  minimum?: number
  maxItems?: number
  properties?: Record<string, Schema>
  additionalProperties?: boolean
}

function isBounded(schema: Schema): boolean {
  if (schema.enum !== undefined || schema.type === 'boolean' || schema.type === 'null') return true
  // Its own members are checked under its own name.
  if (schema.$ref?.endsWith('Input')) return true
  if (schema.anyOf !== undefined) return schema.anyOf.every(isBounded)
  if (schema.type === 'string') return schema.maxLength !== undefined
  if (schema.type === 'object') return schema.additionalProperties === false && Object.values(schema.properties ?? {}).every(isBounded)
  if (schema.type === 'array') return schema.maxItems !== undefined
  return schema.minimum !== undefined && schema.maximum !== undefined
}
