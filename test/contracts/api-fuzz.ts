import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import fc from 'fast-check'
import type { FastifyInstance, InjectOptions } from 'fastify'
import type { Test } from 'tap'
import { openApiDocument } from '../../lib/dashboard/resources/openapi/openapi-document.ts'
import { MAX_BULK_ID_LENGTH } from '../../schemas/limits.ts'
import { askPatiently } from '../support/ask-patiently.ts'
import { MEANINGS, SEARCHES } from './api-meanings.ts'

/** Resources that exist, for calls that should succeed. */
export interface KnownResources {
  readonly taskNames: readonly string[]
  readonly scheduleIds: readonly string[]
  readonly executionIds: readonly string[]
  readonly errorGroups: readonly string[]
  readonly bulkIds: readonly string[]
}

/**
 * Calls every operation of the document, both as a client that follows it and as an attacker. No response may be a 5xx, have an
 * undocumented status or content type, or break its schema, and valid calls must not be refused.
 * @param app with the dashboard under `/tasks`
 */
export async function fuzzApi(t: Test, app: FastifyInstance, known: KnownResources, calls: number): Promise<void> {
  const seen = new Map<string, number>()
  const ask = askPatiently(app)
  const check = async (call: Call): Promise<void> => {
    const { operation, isValid: _isValid, ...options } = call
    const answer = await ask(options)
    const outcome = `${operation.operationId} ${answer.statusCode}`
    seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
    const problem = problemsWith(call, answer)
    if (problem) throw new Error(`${problem}\n${JSON.stringify(options).slice(0, 600)}\n${answer.body.slice(0, 500)}`)
  }
  const isSeen = ({ operation }: (typeof operations)[number], status: RegExp): boolean =>
    [...seen.keys()].some(outcome => outcome.startsWith(`${operation.operationId} `) && status.test(outcome))
  // First, valid and hostile calls for each operation until one has succeeded and one was refused. Chance picks the later calls.
  // Deletions come last: the other operations need what they delete.
  const isDeletion = ({ method }: (typeof operations)[number]): boolean => method as string === 'DELETE'
  const deletionsLast = [...operations].sort((a, b) => Number(isDeletion(a)) - Number(isDeletion(b)))
  for (const one of deletionsLast) {
    const { valid, hostile } = callsOf(one, known)
    for (const [arbitrary, wanted] of [[valid, SUCCESS], [hostile, REFUSAL]] as const) {
      for (const [made, call] of fc.sample(arbitrary, MAX_SURE_CALLS).entries()) {
        if (made >= SURE_CALLS && isSeen(one, wanted)) break
        await check(call)
      }
    }
  }
  const weighted = operations.map(one => {
    const { valid, hostile } = callsOf(one, known)
    return { arbitrary: fc.oneof(valid, hostile), weight: isStream(one.operation) ? 6 : 20 }
  })
  await fc.assert(fc.asyncProperty(fc.oneof(...weighted), check), { numRuns: calls })

  for (const one of operations) {
    const { operationId } = one.operation
    const statuses = [...seen.keys()].filter(outcome => outcome.startsWith(`${operationId} `))
    t.ok(isSeen(one, SUCCESS), `${operationId} succeeds at least once: ${statuses.join(', ')}`)
    t.ok(isSeen(one, REFUSAL), `${operationId} refuses at least once`)
  }
}

const SUCCESS = / 20[012]$/
const REFUSAL = / 4\d\d$/
/** The number of valid and hostile calls that each operation gets in any case. */
const SURE_CALLS = 3
/** Whether a retry or a run succeeds depends on what the call names. */
const MAX_SURE_CALLS = 40

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
}
interface Parameter { name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema: Schema }
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

const EVENT_STREAM = 'text/event-stream'

/** Streams take longer to end, so they are called less often. */
function isStream({ responses }: Operation): boolean {
  return responses['200']?.content?.[EVENT_STREAM] !== undefined
}

const ajv = new Ajv2020({ strict: false, allErrors: true })
;(formats as unknown as (instance: Ajv2020) => void)(ajv)
ajv.addSchema({ $id: 'document', ...document })
const validators = new Map<string, ValidateFunction>()

const HOSTILE = [
  '', ' ', '\0', '\u0001', '\u007f', '</script>', '<img src=x onerror=alert(1)>', '../', '../../etc/passwd', '..', '.', '/', '//', '\\',
  '%', '%00', '%2e%2e', '%ff',
  "'; DROP TABLE executions; --", '{}', '[]', 'null', 'true', '-1', '1e999', 'NaN', '0x10', '99999999999999999999', '__proto__',
  'constructor', 'toString',
  '\ud800', 'a\udc00b', '🎉', '👩‍👩‍👧‍👦', '字'.repeat(101), '\u202e\u2066', 'x'.repeat(101), 'x'.repeat(10_000), '🎉'.repeat(300), 'é',
  '2026-02-30T00:00:00Z',
  '2026-11-20T23:59:60Z', '+275760-09-13T00:00:00.001Z', '* * * * *', '@yearly', '* * * * * *', 'Europe/Berlin', '../../UTC', '%s%s%n',
  '${7*7}', '{{7*7}}'
]

const hostileText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE) }, fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ maxLength: 40 })
)
const hostileJson = fc.oneof(hostileText, fc.integer(), fc.double(), fc.boolean(), fc.constant(null), fc.jsonValue({ maxDepth: 3 }))

function meant(name: string, schema: Schema, known: KnownResources): fc.Arbitrary<unknown> {
  // Bulk operations have an action and a rate too.
  if (name === 'rate' && schema.type === 'integer') return fc.constantFrom(1, 1000)
  if (name === 'action' && schema.enum) return fc.constantFrom(...schema.enum)
  if (name === 'token') return fc.constant(undefined)
  const meaning = meantResource(name, schema, known) ?? (schema.maxLength === 512 && name === 'search' ? SEARCHES : MEANINGS[name])
  if (meaning) return meaning
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'integer' || schema.type === 'number')
    return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 1000, 2 ** 31 - 1) })
  if (schema.format === 'date-time')
    return fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }).map(date => date.toISOString())
  throw new Error(`The fuzz does not know what ${name} means`)
}

function meantResource(
  name: string, { maxLength }: Schema, { taskNames, scheduleIds, executionIds, errorGroups, bulkIds }: KnownResources
): fc.Arbitrary<string> | undefined {
  if (name === 'name' || name === 'task_name') return fc.constantFrom(...taskNames)
  if (name === 'schedule_id') return fc.constantFrom(...scheduleIds)
  if (name === 'group') return fc.constantFrom(...errorGroups, '0123456789ab')
  if (name !== 'id') return undefined
  if (maxLength === MAX_BULK_ID_LENGTH) return fc.constantFrom(...bulkIds, 'unknown')
  return maxLength === 100 ? fc.constantFrom(...scheduleIds, 'unknown') : fc.constantFrom(...executionIds, 'unknown')
}

function resolve(schema: Schema): Schema {
  return schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)!]! : schema
}

function some<T>(arbitrary: fc.Arbitrary<T>, required: boolean): fc.Arbitrary<T | undefined> {
  return required ? arbitrary : fc.option(arbitrary, { nil: undefined, freq: 2 })
}

/** Parameters that are only valid together. */
const GIVEN: Record<string, Record<string, unknown>> = {
  previewSchedule: { cron: '* * * * *', interval_ms: undefined },
  getTimeseries: { window: '7d', step: '1h' },
  getScheduleAgenda: { from: '2026-11-20T09:00:00Z', to: '2026-11-22T09:30:00+01:00' }
}

function callsOf(
  { path, method, operation }: (typeof operations)[number], known: KnownResources
): { valid: fc.Arbitrary<Call>; hostile: fc.Arbitrary<Call> } {
  // A cursor is opaque: a client only has cursors that it was given.
  const parameters = (operation.parameters ?? []).filter(one => one.name !== 'cursor' && one.in !== 'header')
  const body = operation.requestBody && resolve(operation.requestBody.content['application/json']!.schema)
  const fields = Object.entries(body?.properties ?? {}).map(([name, schema]) => ({ name, schema }))
  const isChange = operation.operationId === 'updateSchedule'

  const valid = fc.record({
    values: recordOf(parameters, ({ name, schema, required }) => some(meant(name, schema, known), required === true)),
    body: body
      ? recordOf(fields, ({ name, schema }) => some(meant(name, schema, known), body.required?.includes(name) === true))
      : fc.constant(undefined)
  }).map(({ values, body }): Call => {
    const given = { ...values, ...GIVEN[operation.operationId] }
    // Whether the schedule is a cron schedule or defined in code is unknown here, so other tests cover those fields.
    const payload = isChange
      ? { ...body, enabled: body?.['enabled'] ?? true, cron: undefined, interval_ms: undefined, wins: undefined }
      : body
    return { operation, isValid: true, ...request(path, method, given), ...(payload && { payload }) }
  })

  const hostile = fc.record({
    values: recordOf((operation.parameters ?? []).filter(one => one.in !== 'header'), one =>
      some(fc.oneof(hostileText, meantOrText(one, known)), one.in === 'path')),
    // An operation without parameters must refuse any parameter.
    more: fc.dictionary(hostileText, hostileText, { minKeys: parameters.length === 0 ? 1 : 0, maxKeys: 1 }),
    body: fc.oneof(
      fc.constant(undefined),
      fc.constantFrom('x'.repeat(140_000), `${'['.repeat(20_000)}${']'.repeat(20_000)}`, `{"args":${'[{"a":'.repeat(9000)}`),
      hostileJson,
      recordOf(fields, ({ name, schema }) => some(fc.oneof(hostileJson, meant(name, schema, known)), false))
    ),
    type: fc.constantFrom(
      'application/json', 'application/json', 'application/json; charset=utf-8', 'text/plain', 'application/x-www-form-urlencoded',
      'nonsense', ''
    ),
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

  return { valid, hostile }
}

function recordOf<Field extends { name: string }>(fields: Field[], arbitraryOf: (field: Field) => fc.Arbitrary<unknown>) {
  return fc.record(Object.fromEntries(fields.map(field => [field.name, arbitraryOf(field)])))
}

function meantOrText({ name, schema }: Parameter, known: KnownResources): fc.Arbitrary<unknown> {
  return name === 'cursor' ? hostileText : meant(name, schema, known)
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

/** Percent-encoded, or an invalid encoding if the text has none. */
function encoded(text: string): string {
  if (text === '%ff') return text
  // A URL cannot have these as a segment, encoded or not.
  if (text === '.' || text === '..') return `${text}%20`
  try {
    return encodeURIComponent(text)
  } catch {
    return '%ed%a0%80'
  }
}

/** Whether these succeed depends on the state of what they name. */
const MAY_CONFLICT = new Set([
  'createBulkOperation', 'suspendBulkOperation', 'resumeBulkOperation', 'abortBulkOperation', 'undoBulkOperation',
  'runSchedule', 'retryExecution', 'cancelExecution', 'updateExecution', 'deleteExecution', 'resolveFailureGroup'
])

/** An earlier call may have deleted the execution. */
const MAY_BE_GONE = new Set([
  'getExecution', 'getExecutionJob', 'getExecutionWhy', 'retryExecution', 'cancelExecution', 'updateExecution', 'deleteExecution'
])

function problemsWith(call: Call, answer: { statusCode: number; headers: Record<string, unknown>; body: string }): string | null {
  const { operation, isValid } = call
  const documented = operation.responses[answer.statusCode]
  if (answer.statusCode >= 500) return `answered ${answer.statusCode}`
  const { operationId } = operation
  const expected = [200, 201, 202, 404, ...MAY_CONFLICT.has(operationId) ? [409] : [], ...MAY_BE_GONE.has(operationId) ? [410] : []]
  if (isValid && !expected.includes(answer.statusCode))
    return `valid input was answered with ${answer.statusCode}`
  // Fastify's router refuses a path that is not UTF-8 before any plugin sees it.
  if (answer.body.includes('FST_ERR_BAD_URL')) return null
  if (!documented) return `${answer.statusCode} is not documented`
  const type = String(answer.headers['content-type']).split(';')[0]!
  if (!documented.content?.[type]) return `${answer.statusCode} with ${type} is not documented`
  if (type === EVENT_STREAM) return null
  const validate = validatorOf(operation, answer.statusCode, type)
  return validate(JSON.parse(answer.body)) ? null : `the body breaks its schema: ${ajv.errorsText(validate.errors)}`
}

function validatorOf(operation: Operation, status: number, type: string): ValidateFunction {
  const { path, method } = operations.find(one => one.operation === operation)!
  const pointer = ['paths', path, method.toLowerCase(), 'responses', String(status), 'content', type, 'schema']
    .map(part => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')
  const compiled = validators.get(pointer)
  if (compiled) return compiled
  const made = ajv.compile({ $ref: `document#/${pointer}` })
  validators.set(pointer, made)
  return made
}
