import { Ajv } from 'ajv'
import t from 'tap'
import ts from 'typescript'
import { toInvalidInput } from '../../../lib/dashboard/http/invalid-input.ts'
import { createTaskDashboardError, isTaskDashboardError } from '../../../lib/errors.ts'
import {
  absentText, fullText, leftOutText, mayNotReadText, namesText, nothingFoundText
} from '../../../lib/engine/observing/discovery-problems.ts'
import type { ObservedServer } from '../../../lib/engine/observing/observed-server.ts'
import { createOwnersVersions } from '../../../lib/engine/observing/redis/owners-versions.ts'
import type { RedisQueue } from '../../../lib/engine/observing/redis/redis-queue.ts'
import { sayBlindness, sayGap, saySameGap } from '../../../lib/queue-app/observing/gaps/say-gap.ts'
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
  const health = ['lib/queue-app/monitoring/health.ts', 'lib/queue-app/monitoring/worker-overviews.ts']
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

t.test('what health says about existing queues is German, for one of them and for several', async t => {
  const server = { label: 'redis://one' } as ObservedServer
  const queues = (count: number) => Array.from({ length: count }, (_, index) =>
    ({ taskName: `q${index}`, name: `q${index}`, prefix: 'bull', server }))
  const gap = { events: null, from: 0, to: 1_000 } as const
  const versions = createOwnersVersions('redis://one', () => 0)
  const ofOwners = (start: readonly string[]) => {
    for (const name of start) {
      const queue = { name, prefix: 'bull', taskName: name } as RedisQueue
      for (const major of [6, 5]) versions.note(queue, `bullmq:${major}.0.0`)
    }
    return versions.problems()
  }
  const said = [
    ...([1, 2, null] as const).map(events => sayGap('q', { ...gap, events })),
    ...(['emptied', 'went back', 'replaced'] as const).map(cause => sayGap('q', { ...gap, cause })), saySameGap(1), saySameGap(2),
    ...[0, 1, 2].map(others => sayBlindness('q', others, 'XINFO')), ...ofOwners(['a']), ...ofOwners(['b', 'c']),
    ...[1, 7].flatMap(count => [
      namesText('redis://one', count), fullText('redis://one', count), leftOutText(queues(count)),
      mayNotReadText('redis://one', queues(count), 'x'), absentText({ server, prefix: 'bull' }, queues(count))
    ]),
    nothingFoundText({ server, prefix: 'bull' }, undefined), nothingFoundText({ server, prefix: 'bull' }, new Map([['a', new Set(['b'])]])),
    'Queues at postgres://one under the prefix "a" cannot be looked for (x)',
    'What queues at redis://one hold is not known, because a key cannot be read: "q" and 1 more (x). Give the user the rights in ' +
      'docs/existing-queues.md',
    ...['its user may not run ZCOUNT', 'it does not know ZCOUNT', 'it does not allow a command'].map(reason =>
      `What queues at redis://one hold is not known, because ${reason}. Give the user the rights in docs/existing-queues.md, or restore ` +
        'the command'),
    'some queues cannot be shown', 'some queues belong to two versions of BullMQ, which can lose jobs', 'its upkeep has problems',
    'executions of some queues may be missing',
    'Both BullMQ 5 and 6 have put jobs into the queue "q" at redis://one during a pause: if version 5 pauses or resumes it now, it ' +
      'discards jobs. Resume it with version 6, and move all its code to one version',
    'Jobs of 1 queue have more names than are shown, 100 of a queue and 5000 in all: the others stay with the task of their queue (q)',
    '1 job scheduler is not shown: 1,000 of a queue and 10,000 in all are',
    '2 job schedulers are not shown: 1,000 of a queue and 10,000 in all are',
    'The history may lack executions that finished since 2026-11-20T09:00:00.000Z: reading events keeps failing',
    'The result backend refused 1 execution while it took others, so it is missing in the history: q:1 (x)',
    'The result backend refused 2 executions while it took others, so they are missing in the history, the last one q:1 (x)'
  ]
  for (const text of said) t.notMatch(sayOfPart(text), ENGLISH, `${text} → ${sayOfPart(text)}`)
  for (const text of said) t.notMatch(text, /\b1 (?:other )?(?:queues|events|executions|others|job schedulers)\b/, text)
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
