import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ACTIONS } from '../../lib/dashboard/actions.ts'
import { openApiDocument } from '../../lib/dashboard/resources/openapi/openapi-document.ts'
import { PROJECT } from '../support/source-files.ts'
import { generatedFiles } from '../../scripts/generate-openapi.ts'

interface OpenApi {
  openapi: string
  servers: Array<{ url: string }>
  paths: Record<string, Record<string, Operation>>
}

interface Operation {
  operationId?: string
  tags?: string[]
  summary?: string
  responses: Record<string, { description: string; content?: object }>
}

const document = JSON.parse(JSON.stringify(await openApiDocument())) as OpenApi
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })))

void t.test('docs/openapi.json and the client types match the schemas', async t => {
  for (const [path, text] of await generatedFiles()) {
    t.ok(readFileSync(join(PROJECT, path), 'utf8') === text, `${path} is what scripts/generate-openapi.ts writes`)
  }
})

void t.test('the document is valid OpenAPI 3.1 without warnings', async t => {
  const redocly = spawnSync(process.execPath, [
    join(PROJECT, 'node_modules/@redocly/cli/bin/cli.js'), 'lint', 'docs/openapi.json', '--extends=recommended', '--max-problems=20'
  ], {
    cwd: PROJECT,
    encoding: 'utf8',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  })
  t.equal(redocly.status, 0, redocly.stdout + redocly.stderr)
  t.match(document.openapi, /^3\.1\./)
  t.match(redocly.stdout + redocly.stderr, /valid/)
  t.notMatch(redocly.stdout + redocly.stderr, /You have \d+ warning/)
})

void t.test('every operation has a name, tags, a summary and described errors', async t => {
  t.ok(operations.length >= 17)
  const names = operations.map(({ operationId }) => operationId)
  t.equal(new Set(names).size, names.length, 'names are unique')
  for (const { path, method, operationId, tags, summary, responses } of operations) {
    t.match(
      operationId,
      /^(get|list|create|enable|disable|delete|preview|update|run|retry|cancel|resolve|reopen|pause|resume|limit|suspend|abort|undo)[A-Z][A-Za-z]+$/,
      `${method} ${path}`
    )
    t.ok(tags?.length, `${operationId} has tags`)
    t.ok(summary, `${operationId} has a summary`)
    const needed = [
      '400', '401', '403', '414', '500', '503', ...(path.includes('{') ? ['404'] : []), ...(method === 'get' ? [] : ['413', '415'])
    ]
    for (const status of needed) t.ok(responses[status], `${operationId} documents ${status}`)
    for (const [status, { description }] of Object.entries(responses))
      t.not(description, 'Default Response', `${operationId} describes ${status}`)
  }
})

void t.test("the product's own endpoints exist", async t => {
  const known = new Set(operations.map(({ path, method }) => `${method} ${path}`))
  for (const wanted of [
    'get /api/health', 'get /api/stats', 'get /api/tasks', 'get /api/tasks/{name}', 'get /api/schedules', 'get /api/schedules/{id}',
    'post /api/schedules/cron', 'put /api/schedules/{id}/enable', 'put /api/schedules/{id}/disable', 'delete /api/schedules/{id}',
    'get /api/executions', 'get /api/executions/{id}', 'get /api/tasks/{name}/executions', 'post /api/schedules/interval',
    'get /api/schedules/preview', 'get /api/openapi.json', 'get /api/session'
  ]) t.ok(known.has(wanted), wanted)
})

void t.test('every action is a resource and a verb', async t => {
  for (const action of ACTIONS) t.match(action, /^[a-z]+:[a-z]+$/)
})

void t.test('no response schema has a pattern or maxLength, because generated clients check responses and ' +
  'interpret these differently', async t => {
  const refused: string[] = []
  const seen = new Set<string>()
  for (const { operationId, responses } of operations) walk(responses, operationId!)
  t.same(refused, [])
  t.ok(seen.size > 10, 'the response schemas were examined')

  function walk(part: unknown, path: string): void {
    if (typeof part !== 'object' || part === null) return
    for (const [key, value] of Object.entries(part)) {
      if (key === '$ref' && typeof value === 'string') {
        if (seen.has(value)) continue
        seen.add(value)
        walk(value.slice(2).split('/').reduce<unknown>((whole, name) => (whole as Record<string, unknown>)[name], document), value)
      } else if (key === 'pattern' && typeof value === 'string') {
        refused.push(`${path}: ${value}`)
      } else if (key === 'maxLength' && typeof value === 'number' && (part as { format?: string }).format !== 'date-time') {
        refused.push(`${path}: ${value}`)
      } else {
        walk(value, `${path}/${key}`)
      }
    }
  }
})
