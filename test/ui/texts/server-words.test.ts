import { Ajv } from 'ajv'
import t from 'tap'
import ts from 'typescript'
import { toInvalidInput } from '../../../lib/dashboard/http/invalid-input.ts'
import { createTaskDashboardError, isTaskDashboardError } from '../../../lib/errors.ts'
import { sayGap } from '../../../lib/queue-app/observing/gaps/say-gap.ts'
import { parseSearch } from '../../../lib/backend/search/parse-search.ts'
import { parseCron } from '../../../lib/scheduler/timing/cron.ts'
import { de } from '../../../ui/src/texts/de/de.ts'
import { en } from '../../../ui/src/texts/en/en.ts'
import { listFiles, readText } from '../../support/source-files.ts'

const { say, sayOfField, sayOfPart } = de.errors
/** Words that occur in none of our German sentences. */
const ENGLISH = /\b(?:must|cannot|not|have|is|are|than|with|the|of|there|and|which|use|write)\b/

/** Files with sentences about what is wrong with a field, one sentence per call or property. */
const FILES_OF_FIELDS = [...listFiles('lib', /\.ts$/).filter(file => /\bpointer:|\binvalidInput\(/.test(readText(file))),
  'lib/scheduler/timing/cron-field.ts', 'lib/json/sent-arguments.ts', 'lib/backend/search/search-slips.ts',
  'lib/backend/search/search-terms.ts'
]
/** Sentences that no request of a page returns: about code, in logs, names of parts, or the frame around a field. */
const NOT_OF_FIELDS = new RegExp([
  'lib/errors.ts', 'lib/dashboard/http/error-handler.ts', 'lib/scheduler/scheduler.ts'
].join('|'))
const FRAMES = new Set([
  'result backend', 'The query parameter "step" 7', 'being changed by others', '7, and nothing that it did can be taken back',
  '7 before, 7 now', 'not read', 'at least 7', 'args 7', 'a run of a schedule. Change the schedule instead', 'part of a BullMQ flow',
  '7; 7', '7 7', 'The schedule has changed since you read it: read it again, then change it',
  'No process registers the task "7" of this schedule: start one that does', 'not finished', 'not yet', 'The body7', 'The header "7"',
  'The 7 parameter "7"', 'The header "idempotency-key" 7',
  'The key was used for another request, or its first request is still in progress',
  'Seconds to wait while it is in progress', 'The header "audit-reason" 7', 'The query parameter "cursor" 7', 'schedules 7', 'schedule 7',
  'misses 7', 'The query parameter "to" 7', 'agenda 7 7', '"7" 7', 'day of month', 'day of week', 'args cannot be written', '7. 7',
  'Quote it to search for it as text'
])

/** Keywords of JSON Schema, each of which has its own message. */
const KEYWORDS = [
  'minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'pattern', 'enum', 'const',
  'required', 'additionalProperties', 'minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties', 'anyOf', 'oneOf', 'not'
]

t.test('the sentences of the server about fields have German versions, whichever file they come from', async t => {
  const said = FILES_OF_FIELDS.filter(file => !NOT_OF_FIELDS.test(file)).flatMap(file => sentencesOf(file, readText(file)))
    .filter(({ text }) => !FRAMES.has(text))
  t.ok(said.length > 60, `${said.length} sentences`)
  for (const { file, text } of said) {
    t.equal(en.errors.sayOfField(text), text)
    t.not(sayOfField(text), text, `${file}: ${text}`)
  }
})

t.test('every keyword of the schemas has a German sentence', async t => {
  const ajv = new Ajv({ allErrors: true, strict: false })
  const cases: ReadonlyArray<readonly [schema: object, value: unknown]> = [
    [{ type: 'string' }, 1], [{ type: ['integer', 'null'] }, 'x'], [{ type: 'array' }, 1], [{ minLength: 2 }, 'x'],
    [{ maxLength: 1 }, 'xx'],
    [{ minimum: 2 }, 1], [{ maximum: 2 }, 3], [{ pattern: '^a$' }, 'b'], [{ enum: ['a', 'b'] }, 'c'], [{ required: ['a'] }, {}],
    [{ properties: {}, additionalProperties: false }, { a: 1 }], [{ minItems: 1 }, []], [{ maxItems: 1 }, [1, 2]],
    [{ minProperties: 1 }, {}], [{ uniqueItems: true }, [1, 1]], [{ const: 1 }, 2], [{ anyOf: [{ minimum: 2 }] }, 1]
  ]
  for (const [schema, value] of cases) {
    t.notOk(ajv.validate(schema, value))
    const { errors = [] } = toInvalidInput(ajv.errors as never, 'body')
    for (const { message } of errors) t.notMatch(sayOfField(message), ENGLISH, `${JSON.stringify(schema)}: ${sayOfField(message)}`)
  }
  t.notMatch(sayOfField('must match format "date-time"'), ENGLISH)
  const contract = JSON.stringify(JSON.parse(readText('docs/openapi.json')))
  for (const keyword of KEYWORDS.filter(each => contract.includes(`"${each}":`)))
    t.ok(cases.some(([schema]) => keyword in schema), keyword)
})

t.test('real refusals of cron expressions and searches are German sentences, with what was typed', async t => {
  for (const cron of [
    '1 2 3', '@daily', '60 * * * *', '* * 31 2 *', '5-1 * * * *', '*/0 * * * *', ', * * * *', 'L * * * *', 'x * * * *', '1'.repeat(300)
  ]) {
    const message = faultOf(() => parseCron(cron, 'UTC'))
    t.not(sayOfField(message), message, message)
    t.notMatch(sayOfField(message), ENGLISH, sayOfField(message))
  }
  for (const search of [
    'status:failed NOT a', 'status:failed OR b', 'status:failed AND b', '-status:failed', 'status:x', 'took:5', 'since:x', 'task:', '"a',
    'taks:x', '...', 'task:a*', 'since:2026-11-20 09:00', 'status=failed', 'priority:5', '"a"b'
  ])
    t.match(sayOfField(faultOf(() => parseSearch(search, 0))), /^Zeichen \d+: (?!.*\b(?:the|must|which|write|there|quote)\b)/, search)
  t.equal(faultOf(() => parseCron('* * * * *', 'x y')) === sayOfField(faultOf(() => parseCron('* * * * *', 'x y'))), false)
})

t.test('the place and the beginning of a refusal are German', async t => {
  const said = (code: Parameters<typeof createTaskDashboardError>[0], ...values: unknown[]) =>
    say(code, createTaskDashboardError(code, values).message)
  t.equal(said('INVALID_INPUT', 'The body at /args fehlt'), 'Ungültige Eingabe: Die Angabe /args fehlt')
  t.equal(said('INVALID_INPUT', 'The query parameter "limit" fehlt'), 'Ungültige Eingabe: Der Parameter "limit" fehlt')
  t.equal(said('INVALID_CRON', '1 2', 'er hat 2 Felder'), 'Ungültiger Cron-Ausdruck: "1 2": er hat 2 Felder')
  t.equal(said('INVALID_SCHEDULE', 'end_at muss nach start_at liegen'), 'Ungültiger Zeitplan: end_at muss nach start_at liegen')
  t.equal(said('INVALID_SEARCH', 'Zeichen 1: x'), 'Ungültige Suche: Zeichen 1: x')
})

t.test('messages of the scheduler and of workers are German, and so is the note of an automatic resolve', async t => {
  const health = ['lib/queue-app/monitoring/health.ts', 'lib/queue-app/monitoring/workers.ts']
    .flatMap(file => sentencesOf(file, readText(file)).map(({ text }) => text)).filter(text => !/^7 s |^reachable, but 7$/.test(text))
  const scheduler = [
    '1 schedule is overdue: runs are due, but no worker takes them', '52 schedules are overdue: runs are due, but no worker takes them',
    '2 schedules name tasks that no process registers: their runs are missed until one does',
    '1 schedule names a task that no process registers: its runs are missed until one does', 'not converged yet', '3000 schedules',
    '2 schedules cannot be planned by this process: a bug; the server\'s log has the error',
    'The schedules could not be brought in line with the broker; the next attempt follows',
    '5 schedules; the broker lost its data at 2026-11-20T09:00:00.000Z, schedules declared in code were written again',
    'The clock of this process is 70 s ahead of the broker\'s: correct it, because a worker starts due runs by its own clock',
    '7 finished executions have been waiting to be written to the history since 2026-11-20T09:00:00.000Z'
  ]
  for (const text of [...health, ...scheduler]) t.notMatch(sayOfPart(text), ENGLISH, `${text} → ${sayOfPart(text)}`)
})

t.test('unknown text stays unchanged, and long hostile text takes no noticeable time', async t => {
  t.equal(sayOfField('constructor'), 'constructor')
  const startedAt = process.cpuUsage()
  for (const text of ['must be ', 'the range ', '"', 'there is no field ', ' to ']) sayOfField(text.repeat(50_000 / text.length))
  t.ok(process.cpuUsage(startedAt).user < 2_000_000)
})

function faultOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (isTaskDashboardError(error)) return error.errors![0]!.message
  }
  throw new Error('It was accepted')
}

/** The sentences in a file, with 7 in place of inserted values. */
function sentencesOf(file: string, content: string): ReadonlyArray<{ readonly file: string; readonly text: string }> {
  const found: Array<{ file: string; text: string }> = []
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return
    const text = textOf(node)
    if (text === null) ts.forEachChild(node, visit)
    else if (/\S \S/.test(text)) found.push({ file, text })
  }
  visit(ts.createSourceFile(file, content, ts.ScriptTarget.ES2023, true))
  return found
}

function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isTemplateExpression(node)) return node.head.text + node.templateSpans.map(({ literal }) => `7${literal.text}`).join('')
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return null
  const [left, right] = [textOf(node.left), textOf(node.right)]
  return left === null || right === null ? null : left + right
}

t.test('gaps in the history of existing queues are told in German, with their cause and what an emptied queue had', async t => {
  const gap = { events: null, from: 0, to: 1_000 }
  const had = { waiting: 12, running: 1, schedules: 2, at: 500 }
  t.match(sayOfPart(sayGap('mail', { ...gap, cause: 'emptied' })), /^Die Warteschlange mail wurde zwischen \S+ und \S+ vom Server entfernt, .* fehlen$/)
  t.match(sayOfPart(sayGap('mail', { ...gap, cause: 'emptied', had })), /kann fehlen\. Bei .* hatte sie wartend: 12, laufend: 1, Zeitpläne: 2$/)
  t.match(sayOfPart(sayGap('mail', { ...gap, cause: 'went back' })), /^Der Server hat zwischen \S+ und \S+ Ereignisse der Warteschlange mail /)
  t.match(sayOfPart(sayGap('mail', { ...gap, cause: 'replaced' })), /^Ein anderer Server hat zwischen \S+ und \S+ die Warteschlange mail /)
  t.match(sayOfPart(sayGap('mail', gap)), /^Unbekannt viele Ereignisse der Warteschlange mail /)
})
