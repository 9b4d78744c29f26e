import Fastify from 'fastify'
import t from 'tap'
import { namedSchemas, setCompilers } from '../../lib/dashboard/http/routes/compilers.ts'
import { toInvalidInput } from '../../lib/dashboard/http/invalid-input.ts'
import { MAX_BODY_BYTES } from '../../lib/dashboard/http/json-body.ts'
import { takeIdempotencyKey } from '../../lib/dashboard/http/idempotency.ts'
import { toProblem } from '../../lib/dashboard/http/problem.ts'
import { declareRoutes } from '../../lib/dashboard/resources/declare-routes.ts'
import { hostileShapes, leastCpuMs, LIMIT_MS } from './hostile-shapes.ts'

interface ObjectSchema { readonly properties: Readonly<Record<string, object>>, readonly $ref?: string }
type Part = (typeof PARTS)[number]
type Validate = ((data: unknown) => boolean) & { errors?: Parameters<typeof toInvalidInput>[0] | null }

const PARTS = ['body', 'querystring', 'params', 'headers'] as const
const UNKNOWN = 'an unknown name'
/** The longest text that a body allows. URLs and headers are shorter, but no schema may rely on that. */
const SHAPES = hostileShapes(MAX_BODY_BYTES)

const app = Fastify()
setCompilers(app)
/** Each distinct input schema once, with its routes. */
const inputs = new Map<string, { part: Part, schema: ObjectSchema, routes: string[] }>()
declareRoutes({
  route(declared) {
    const { method, url, schema } = takeIdempotencyKey(declared) as unknown as {
      method: string, url: string, schema: Record<Part, ObjectSchema | undefined>
    }
    for (const part of PARTS) {
      if (schema[part] === undefined) continue
      const key = `${part} ${JSON.stringify(schema[part])}`
      const known = inputs.get(key) ?? { part, schema: schema[part], routes: [] }
      inputs.set(key, { ...known, routes: [...known.routes, `${method} ${url}`] })
    }
  }
})

t.test('no validator takes more than 50 ms for any text, including the response to a refused one', async t => {
  t.ok(inputs.size > 10, 'there are inputs')
  const tried = new Set<string>()
  const slow: unknown[] = []
  for (const { part, schema, routes } of inputs.values()) {
    const validate = app.validatorCompiler!({
      schema: resolved(schema), method: 'GET', url: '/', httpPart: part
    } as never) as unknown as Validate
    for (const [name, property] of [...Object.entries(resolved(schema).properties), [UNKNOWN, {}] as const]) {
      // Equal schemas have equal validators.
      const what = `${part} ${JSON.stringify(property)}`
      if (tried.has(what)) continue
      tried.add(what)
      for (const [shape, text] of SHAPES) {
        const ms = leastCpuMs(() => check(validate, part, inputsOf(name, text)))
        if (ms >= LIMIT_MS) slow.push({ route: routes[0], name, shape, ms })
      }
    }
  }
  t.strictSame(slow, [])
})

/** The text as the value of a parameter and inside it, or as a name. */
function inputsOf(name: string, text: string): object[] {
  return name === UNKNOWN ? [{ [text]: text }] : [{ [name]: text }, { [name]: [text, { [text]: text }] }]
}

function check(validate: Validate, part: Part, inputs: readonly object[]): void {
  for (const input of inputs) {
    if (validate(input)) continue
    const error = toInvalidInput(validate.errors ?? [], part)
    JSON.stringify(toProblem({ status: 400, code: error.code, detail: error.message, instance: '/', errors: error.errors }))
  }
}

function resolved(schema: ObjectSchema): ObjectSchema {
  return schema.$ref === undefined ? schema : namedSchemas[schema.$ref] as unknown as ObjectSchema
}
