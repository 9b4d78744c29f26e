import Fastify from 'fastify'
import t from 'tap'
import { dashboardPlugin } from '../../lib/dashboard/plugin.ts'
import { fuzzApi } from '../contracts/api-fuzz.ts'
import { EXECUTION_IDS, sampleMonitoring, TASK_NAMES } from './sample-monitoring.ts'

const CALLS = 6000

// Several seconds on a quiet machine.
t.setTimeout(180_000)

interface Schema {
  type?: string
  enum?: string[]
  format?: string
  minimum?: number
  maximum?: number
  maxLength?: number
  $ref?: string
  properties?: Record<string, Schema>
  required?: string[]
  minProperties?: number
}
interface Parameter { name: string; in: 'path' | 'query'; required?: boolean; schema: Schema }
interface Operation {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}
interface OpenApi { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } }
interface Call extends InjectOptions { operation: Operation; isValid: boolean }

const document = JSON.parse(JSON.stringify(await openApiDocument())) as OpenApi
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase() as 'GET', operation })))

const ajv = new Ajv2020({ strict: false, allErrors: true })
;(formats as unknown as (instance: Ajv2020) => void)(ajv)
ajv.addSchema({ $id: 'document', ...document })
const validators = new Map<string, ValidateFunction>()

const HOSTILE = [
  '', ' ', '\0', '\u0001', '\u007f', '</script>', '<img src=x onerror=alert(1)>', '../', '../../etc/passwd', '..', '.', '/', '//', '\\', '%', '%00', '%2e%2e', '%ff',
  "'; DROP TABLE executions; --", '{}', '[]', 'null', 'true', '-1', '1e999', 'NaN', '0x10', '99999999999999999999', '__proto__', 'constructor', 'toString',
  '\ud800', 'a\udc00b', '🎉', '👩‍👩‍👧‍👦', '字'.repeat(101), '\u202e\u2066', 'x'.repeat(101), 'x'.repeat(10_000), '🎉'.repeat(300), 'é', '2026-02-30T00:00:00Z',
  '2026-11-20T23:59:60Z', '+275760-09-13T00:00:00.001Z', '* * * * *', '@yearly', '* * * * * *', 'Europe/Berlin', '../../UTC', '%s%s%n', '${7*7}', '{{7*7}}'
]

const hostileText = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...HOSTILE) }, fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ maxLength: 40 }))
const hostileJson = fc.oneof(hostileText, fc.integer(), fc.double(), fc.boolean(), fc.constant(null), fc.jsonValue({ maxDepth: 3 }))

/** What a client that reads the document would send, by the name of the field where its meaning is more than its type. */
const MEANINGS: Record<string, fc.Arbitrary<unknown>> = {
  name: fc.constantFrom(...TASK_NAMES),
  task_name: fc.constantFrom(...TASK_NAMES),
  cron: fc.constantFrom('* * * * *', '0 9 * * 1-5', '*/5 0 1 1 *'),
  timezone: fc.constantFrom('UTC', 'Europe/Berlin'),
  schedule_id: fc.constantFrom('s-1', 's/2'),
  search: fc.constantFrom('morning', 'É', '</', '🎉'),
  description: fc.constantFrom(null, '', 'two\nlines', '</script>'),
  start_at: fc.constantFrom(null, '2026-11-20T09:00:00Z'),
  end_at: fc.constantFrom(null, '2026-12-20T09:00:00+01:00'),
  'if-match': fc.constantFrom('*'),
  args: fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 5 })
}

function meant(name: string, schema: Schema): fc.Arbitrary<unknown> {
  const meaning = name === 'id' ? meantId(schema) : MEANINGS[name]
  if (meaning) return meaning
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'integer') return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 1000, 2 ** 31 - 1) })
  if (schema.format === 'date-time') return fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }).map((date) => date.toISOString())
  throw new Error(`The fuzz does not know what ${name} means`)
}

function meantId({ maxLength }: Schema): fc.Arbitrary<string> {
  return maxLength === 100 ? fc.constantFrom('s-1', 's/2', 'created-1', 'unknown') : fc.constantFrom(...EXECUTION_IDS, 'unknown')
}

function resolve(schema: Schema): Schema {
  return schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)!]! : schema
}

function some<T>(arbitrary: fc.Arbitrary<T>, required: boolean): fc.Arbitrary<T | undefined> {
  return required ? arbitrary : fc.option(arbitrary, { nil: undefined, freq: 2 })
}

function callsOf({ path, method, operation }: (typeof operations)[number]): fc.Arbitrary<Call> {
  // A cursor is opaque: a client only has those that it was given.
  const parameters = (operation.parameters ?? []).filter(({ name }) => name !== 'cursor')
  const body = operation.requestBody && resolve(operation.requestBody.content['application/json']!.schema)
  const fields = Object.entries(body?.properties ?? {}).map(([name, schema]) => ({ name, schema }))
  const isChange = body?.minProperties === 1
  const isPreview = operation.operationId === 'previewSchedule'

  const valid = fc.record({
    values: recordOf(parameters, ({ name, schema, required }) => some(meant(name, schema), required === true)),
    body: body ? recordOf(fields, ({ name, schema }) => some(meant(name, schema), body.required?.includes(name) === true)) : fc.constant(undefined)
  }).map(({ values, body }): Call => {
    const given = isPreview ? { ...values, cron: '* * * * *', interval_ms: undefined } : values
    return { operation, isValid: true, ...request(path, method, given), ...(body && { payload: isChange && !JSON.stringify(body).includes(':') ? { enabled: true } : body }) }
  })

  const hostile = fc.record({
    values: recordOf(operation.parameters ?? [], (one) => some(fc.oneof(hostileText, meantOrText(one)), one.in === 'path')),
    more: fc.dictionary(hostileText, hostileText, { maxKeys: 1 }),
    body: fc.oneof(
      fc.constant(undefined),
      fc.constantFrom('x'.repeat(140_000), `${'['.repeat(20_000)}${']'.repeat(20_000)}`, `{"args":${'[{"a":'.repeat(9000)}`),
      hostileJson,
      recordOf(fields, ({ name, schema }) => some(fc.oneof(hostileJson, meant(name, schema)), false))
    ),
    type: fc.constantFrom('application/json', 'application/json', 'application/json; charset=utf-8', 'text/plain', 'application/x-www-form-urlencoded', 'nonsense', ''),
    isRaw: fc.boolean()
  }).map(({ values, more, body, type, isRaw }): Call => ({
    operation,
    isValid: false,
    ...request(path, method, values, more),
    ...(body !== undefined && method !== 'GET' && {
      headers: { 'content-type': type },
      payload: isRaw && typeof body === 'string' ? body : JSON.stringify(body)
    })
  }))

  return fc.oneof(valid, hostile)
}

function recordOf<Field extends { name: string }>(fields: Field[], arbitraryOf: (field: Field) => fc.Arbitrary<unknown>) {
  return fc.record(Object.fromEntries(fields.map((field) => [field.name, arbitraryOf(field)])))
}

function meantOrText({ name, schema }: Parameter): fc.Arbitrary<unknown> {
  return name === 'cursor' ? hostileText : meant(name, schema)
}

function request(path: string, method: 'GET', values: Record<string, unknown>, more: Record<string, string> = {}) {
  const query = new URLSearchParams(more)
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && !path.includes(`{${name}}`)) query.set(name, textOf(value))
  }
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => encoded(textOf(values[name])))
  return { method, url: `/tasks${url}${query.size > 0 ? `?${query.toString()}` : ''}` }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Percent-encoded, or broken on purpose where that cannot be. */
function encoded(text: string): string {
  if (text === '%ff') return text
  // A URL cannot carry these as a segment, encoded or not.
  if (text === '.' || text === '..') return `${text}%20`
  try {
    return encodeURIComponent(text)
  } catch {
    return '%ed%a0%80'
  }
}

function problemsWith(call: Call, answer: { statusCode: number; headers: Record<string, unknown>; body: string }): string | null {
  const { operation, isValid } = call
  const documented = operation.responses[answer.statusCode]
  if (answer.statusCode >= 500) return `answered ${answer.statusCode}`
  if (isValid && ![200, 201, 202, 404].includes(answer.statusCode)) return `valid input was answered with ${answer.statusCode}`
  // Fastify's router refuses a path that is not UTF-8 before any plugin sees it.
  if (answer.body.includes('FST_ERR_BAD_URL')) return null
  if (!documented) return `${answer.statusCode} is not documented`
  const type = String(answer.headers['content-type']).split(';')[0]!
  if (!documented.content?.[type]) return `${answer.statusCode} with ${type} is not documented`
  const validate = validatorOf(operation, answer.statusCode, type)
  return validate(JSON.parse(answer.body)) ? null : `the body breaks its schema: ${ajv.errorsText(validate.errors)}`
}

function validatorOf(operation: Operation, status: number, type: string): ValidateFunction {
  const { path, method } = operations.find((one) => one.operation === operation)!
  const pointer = ['paths', path, method.toLowerCase(), 'responses', String(status), 'content', type, 'schema']
    .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')
  const known = validators.get(pointer)
  if (known) return known
  const made = ajv.compile({ $ref: `document#/${pointer}` })
  validators.set(pointer, made)
  return made
}

void t.test(`${CALLS} calls, valid and hostile, get what the document says`, async (t) => {
  const app = Fastify()
  const monitoring = sampleMonitoring()
  // Deleted schedules come back, so that there is something to find until the last call.
  const deleteSchedule = async (scheduleId: string) => { await monitoring.setScheduleEnabled(scheduleId, true) }
  await app.register(dashboardPlugin, { prefix: '/tasks', queueApp: { monitoring: { ...monitoring, deleteSchedule } } })
  t.teardown(() => app.close())
  const seen = new Map<string, number>()

  await fc.assert(fc.asyncProperty(fc.oneof(...operations.map(callsOf)), async (call) => {
    const { operation, isValid: _isValid, ...options } = call
    const answer = await app.inject(options)
    const outcome = `${operation.operationId} ${answer.statusCode}`
    seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
    const problem = problemsWith(call, answer)
    if (problem) throw new Error(`${problem}\n${JSON.stringify(options).slice(0, 600)}\n${answer.body.slice(0, 500)}`)
  }), { numRuns: CALLS })

  for (const { operation } of operations) {
    const statuses = [...seen.keys()].filter((outcome) => outcome.startsWith(`${operation.operationId} `))
    t.ok(statuses.some((outcome) => / 20[012]$/.test(outcome)), `${operation.operationId} succeeded: ${statuses.join(', ')}`)
    t.ok(statuses.some((outcome) => / 4\d\d$/.test(outcome)), `${operation.operationId} refused`)
  }
})
