import t from 'tap'
import { MAX_IDEMPOTENCY_KEY_LENGTH } from '../../schemas/idempotency.ts'
import * as schemas from '../../schemas/index.ts'
import * as limits from '../../schemas/limits.ts'
import { FAILED_ARGS_BYTES } from '../../lib/backend/entry/limits.ts'
import { SEARCH_FIELDS } from '../../lib/backend/search/search-fields.ts'
import { MAX_SEARCH_TERMS } from '../../lib/backend/search/parse-search.ts'
import { SEARCHED } from '../../lib/backend/search/searchable.ts'
import { RETENTION_COUNT, RETENTION_DAYS } from '../../lib/backend/retention-policy.ts'
import { ACTIONS } from '../../lib/dashboard/actions.ts'
import { DECISION_DEADLINE_MS } from '../../lib/dashboard/access/decision.ts'
import { MAX_BODY_BYTES } from '../../lib/dashboard/http/json-body.ts'
import { forwardingHeadersIn } from '../../lib/dashboard/http/forwarding-headers.ts'
import { OPTION_NAMES } from '../../lib/dashboard/options.ts'
import { errors, writeErrors } from '../../lib/dashboard/resources/responses.ts'
import { ANSWERS_KEPT_MS } from '../../lib/queue-app/enqueueing/request-answers.ts'
import { HEARTBEAT_TTL_MS } from '../../lib/queue-app/processes/process-heartbeats.ts'
import { URL_SCHEMES, parseStoreSource } from '../../lib/stores/source/parse-store-source.ts'
import { HOUR_MS, SECOND_MS } from '../../lib/time/units.ts'
import { listFiles, readText } from '../support/source-files.ts'

const CODE = [...listFiles('lib', /\.ts$/), ...listFiles('schemas', /\.ts$/), ...listFiles('ui/src', /\.tsx?$/)].filter(
  file => !file.includes('generated')
)
const WORDS = [...CODE, ...listFiles('docs', /\.md$/), 'README.md', 'docs/openapi.json']
const kib = (bytes: number): number => bytes / 1024

/** A documented number, and the constant that defines it. The group of the pattern is the number; every match is compared. */
const TOLD: ReadonlyArray<readonly [what: string, value: number, pattern: RegExp]> = [
  ['the error of percentiles', limits.PERCENTILE_ERROR_PERCENT, /within (\d+) %/g],
  [
    'the length of a search', limits.MAX_SEARCH_LENGTH,
    /[Aa]t most (\d+) characters (?:and \d+ terms|in the search language)|docs\/search\.md\), at most (\d+) characters/g
  ],
  ['the terms of a search', MAX_SEARCH_TERMS, /characters and (\d+) terms/g],
  ['the words of an error', SEARCHED.errorWords, /first (\d+) words of its error/g],
  ['the words of arguments', SEARCHED.argsWords, /first (\d+) words of its arguments/g],
  ['the values under their keys', SEARCHED.paths, /and (\d+) values under their keys/g],
  ['the depth of keys', SEARCHED.pathDepth, /to a depth of (\d+) keys/g],
  ['the length of a task name', limits.MAX_TASK_NAME_LENGTH, /@param name 1 to (\d+) characters/g],
  ['the length of the id of a schedule', limits.MAX_SCHEDULE_ID_LENGTH, /across deployments[^|]*?1 to (\d+)\s+(?:\*\s+)?characters/g],
  ['the length of an execution id', limits.MAX_EXECUTION_ID_LENGTH, /Id of the execution that this one repeats, 1 to (\d+) characters/g],
  ['the length of an Idempotency-Key', MAX_IDEMPOTENCY_KEY_LENGTH, /`Idempotency-Key`: 1 to (\d+) /g],
  [
    'the size of a body', kib(MAX_BODY_BYTES),
    /[Bb]ody (?:is at most|over|of more than|larger than) (\d+) KiB|[Bb]ound of (\d+) KiB is the dashboard's/g
  ],
  [
    'the time of a decision in seconds', DECISION_DEADLINE_MS / 1_000,
    /(?:takes longer|more) than (\d+) seconds(?:[^.]*AUTHORIZE_FAILED|, deny)/g
  ],
  [
    'the hours that an Idempotency-Key is kept', ANSWERS_KEPT_MS / HOUR_MS,
    /(?:same response|stands for one request) for (\d+) hours|each expires (\d+) hours after its request/g
  ],
  ['the seconds until a worker is silent', HEARTBEAT_TTL_MS / SECOND_MS, /no heartbeat for (\d+) seconds/g],
  ['the number of items in arguments', schemas.MAX_ARGS, /[Aa]t most (\d+) items and \d+ KiB as JSON/g],
  ['the size of arguments', kib(schemas.MAX_ARGS_BYTES), /[Aa]t most \d+ items and (\d+) KiB as JSON/g],
  ['the schedules of a page', schemas.MAX_SCHEDULE_LIST_LIMIT, /`GET \/api\/schedules` takes[^(]*\(1 to ([\d,]+)/g],
  ['the highest priority', schemas.MAX_PRIORITY, /\(most urgent\) to ([\d,]+)/g],
  ['the points of a chart', schemas.MAX_TIMESERIES_POINTS, /[Aa]t most ([\d,]+) points/g],
  ['the days of retention', RETENTION_DAYS.max, /\(0\.01 to ([\d,]+)\)/g],
  ['the least size of kept arguments', FAILED_ARGS_BYTES.min, /(?:retry|executions):\s+([\d,]+) to [\d,]+ bytes/g],
  ['the greatest size of kept arguments', FAILED_ARGS_BYTES.max, /(?:retry|executions):\s+[\d,]+ to ([\d,]+) bytes/g],
  ['the count of retention', RETENTION_COUNT.max, /executions \(1 to ([\d,]+)\)/g]
]

t.test('a number in the documentation equals the constant that defines it', async t => {
  for (const [what, value, pattern] of TOLD) {
    const told = WORDS.flatMap(file =>
      [...readText(file).matchAll(pattern)].map(([all, ...groups]) => ({
        file, all, number: Number(groups.find(group => group !== undefined)!.replaceAll(',', ''))
      })))
    t.ok(told.length > 0, `${what} is documented`)
    t.same(told.filter(({ number }) => number !== value).map(({ file, all }) => `${file}: ${all.slice(0, 100)}`), [], `${what} is ${value}`)
  }
})

t.test('an exported limit is declared once, and its number is not repeated', async t => {
  const names = Object.entries({ ...schemas, ...limits, MAX_IDEMPOTENCY_KEY_LENGTH }).filter(([name, value]) =>
    /^[A-Z][A-Z0-9_]+$/.test(name) && (typeof value === 'number' || typeof value === 'string')).map(([name]) => name)
  t.ok(names.length > 15, `${names.length} limits`)
  const declared = CODE.flatMap(file =>
    [...readText(file).matchAll(/^(?:export )?const ([A-Z][A-Z0-9_]+)\b/gm)].map(([, name]) => ({ file, name: name! })))
  for (const name of names)
    t.equal(
      declared.filter(each => each.name === name).length, 1,
      `${name} in ${declared.filter(each => each.name === name).map(({ file }) => file).join(', ')}`
    )
  t.same(
    CODE.filter(file => file !== 'schemas/limits.ts' && /\[\^\\+p\{Cc\}\\+p\{Cs\}/.test(readText(file))), [],
    'printable text is defined in one place'
  )
})

t.test('URL schemes are the same in code, messages and documentation', async t => {
  const listed = (text: string): string[] =>
    [...new Set([...text.matchAll(/(?<![a-z+-])([a-z-]+:)(?=[`,\s.]|$)/g)].map(([, scheme]) => scheme!))].filter(
      scheme => /^(redis|unix|valkey|postgres|embedded)/.test(scheme)
    ).toSorted()
  const all = URL_SCHEMES.toSorted()
  t.throws(() => parseStoreSource('mysql://x', 'broker'), { message: new RegExp(URL_SCHEMES.slice(0, -1).join(', ')) })
  t.same(
    listed(/^\|[^\n]*`embedded:`[^\n]*$|^\| `[a-z-]+:`[^\n]*$/gm[Symbol.match](readText('docs/configuration.md'))!.join('\n')), all,
    'docs/configuration.md'
  )
  t.same(listed(/Where executions wait:[^/]*\//.exec(readText('lib/queue-app/options.ts'))![0]), all, 'lib/queue-app/options.ts')
  t.same(WORDS.filter(file => /\bvalkey:/.test(readText(file)) && !/\bvalkeys:/.test(readText(file))), [], 'both are named together')
})

t.test('search fields, statuses and options are the same in the documentation', async t => {
  const search = readText('docs/search.md')
  t.same(
    [
      ...new Set([...search.matchAll(/^\| .*$/gm)].slice(0, 13).flatMap(([row]) =>
        [...row.split('|')[1]!.matchAll(/`([a-z]+)[:.]/g)].map(([, field]) => field!)))
    ].toSorted(),
    Object.keys(SEARCH_FIELDS).toSorted()
  )
  t.same([.../in a status: (.*) \|/.exec(search)![1]!.matchAll(/`(\w+)`/g)].map(([, status]) => status), schemas.EXECUTION_STATUSES)
  const codes = readText('docs/errors.md')
  for (const status of Object.keys({ ...errors, ...writeErrors }))
    t.match(codes, new RegExp(`^${status} ·`, 'm'), `docs/errors.md has a code with ${status}`)
  const table = readText('docs/configuration.md')
  for (const name of OPTION_NAMES) t.match(table, `| \`${name}\` |`)
  t.equal(new Set(ACTIONS).size, ACTIONS.length)
})

t.test('every environment variable that the code reads is documented', async t => {
  const read = new Set(CODE.filter(file => file.startsWith('lib/')).flatMap(file =>
    [...readText(file).matchAll(/process\.env(?:\.|\[')([A-Z_]+)/g)].map(([, name]) => name!)))
  const documents = listFiles('docs', /\.md$/).map(readText).join('\n')
  t.ok(read.has('NODE_ENV'))
  for (const name of read) t.match(documents, name, name)
})

t.test('every forwarding header named in the code counts as a sign of a proxy', async t => {
  const named = CODE.filter(file => file.startsWith('lib/')).flatMap(file =>
    [...readText(file).matchAll(/'((?:x-forwarded|x-real|forwarded|via)[a-z-]*)'/g)].map(([, name]) => name!))
  t.ok(named.length > 3)
  t.same(named.filter(name => !name.endsWith('-') && forwardingHeadersIn({ [name]: 'x' }).length === 0), [])
})
