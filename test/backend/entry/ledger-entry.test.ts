import fc from 'fast-check'
import t from 'tap'
import type { FinishedExecution } from '../../../lib/execution.ts'
import { isRecordable, toFinishedExecution, toLedgerEntries, toLedgerEntry } from '../../../lib/backend/entry/ledger-entry.ts'
import { cutAttempt } from '../../../lib/backend/entry/limits.ts'
import { makeExecution } from '../make-execution.ts'

const text = fc.string({ unit: 'binary', maxLength: 40 })
const error = fc.record({ type: text, message: text, stack: fc.option(text) })
const time = fc.option(fc.integer({ min: 0, max: 2 ** 45 }))
const attempt = fc.record({
  attempt: fc.integer({ min: 1, max: 9 }), startedAt: time, finishedAt: time, workerId: fc.option(text), error: fc.option(error)
})

t.test('an execution within the limits is read back unchanged', async () => {
  const given = fc.record({
    args: fc.option(fc.array(fc.jsonValue())),
    result: fc.jsonValue(),
    progress: fc.jsonValue({ maxDepth: 1 }),
    logs: fc.array(text),
    attempts: fc.uniqueArray(attempt, { selector: each => each.attempt, maxLength: 5 }),
    error: fc.option(error),
    truncated: fc.uniqueArray(text),
    startedAt: time,
    workerId: fc.option(text)
  })
  fc.assert(fc.property(given, fields => {
    const attempts = [...fields.attempts].sort((a, b) => a.attempt - b.attempt)
    const execution = makeExecution({ ...fields, attempts, finishedAt: 2 ** 45, errorGroup: fields.error ? 'group' : null })
    const entry = toLedgerEntry(execution)
    return same(toFinishedExecution(entry.execution, entry.payload, []), execution)
  }), { numRuns: 1_000 })
})

t.test('an ordinary execution stores no payload except its arguments', async t => {
  t.equal(toLedgerEntry(makeExecution({ args: [] })).payload, null)
  t.equal(toLedgerEntry(makeExecution({ args: [1] })).payload, '{"args":[1]}')
})

t.test('values that JSON cannot represent become null, 0 or the limit instead of breaking the record', async t => {
  const circular: unknown[] = []
  circular.push(circular)
  const found = roundTrip(makeExecution({
    args: circular, result: undefined, progress: 10n, attempt: Number.NaN, priority: 1e300, durationMs: Infinity, waitMs: -4
  }))
  t.match(found, { args: null, result: null, progress: null, attempt: 0, priority: 2 ** 31 - 1, durationMs: null, waitMs: 0 })
})

t.test('an oversized value keeps the start of its JSON, cut between characters', async t => {
  const found = roundTrip(makeExecution({
    args: ['ü'.repeat(70_000)], result: { a: '🦊'.repeat(50_000) }, attempts: [], logs: ['x'.repeat(100_000)]
  }))
  t.equal((found.args as string[]).length, 1)
  t.ok((found.args as string[])[0]!.startsWith('["üü'))
  t.ok((found.result as string).startsWith('{"a":"🦊'))
  t.ok((found.result as string).endsWith('🦊'))
  t.strictSame(found.truncated, ['/args', '/result', '/logs'])
  t.equal(found.logs.length, 1)
  t.ok(found.logs[0]!.length > 1_000)
  t.equal(roundTrip(makeExecution({ args: ['x'.repeat(60_000)] })).truncated.length, 0)
})

t.test('only the last hundred attempts are kept, and the message of each is cut', async t => {
  const attempts = Array.from({ length: 150 }, (_, i) => ({
    attempt: i + 1, startedAt: 1, finishedAt: 2, workerId: null, error: { type: 'E', message: 'm'.repeat(20_000), stack: null }
  }))
  const found = roundTrip(makeExecution({ attempts }))
  t.equal(found.attempts.length, 100)
  t.equal(found.attempts[0]!.attempt, 51)
  t.equal(found.attempts[0]!.error!.message.length, 8_192)
  t.strictSame(found.truncated, ['/attempts', ...Array.from({ length: 100 }, (_, i) => `/attempts/${i}/error/message`)])
})

t.test('`truncated` points at each cut attempt by its index in the list shown', async t => {
  const failed = (attempt: number, message: string, stack: string) => ({
    attempt, startedAt: attempt, finishedAt: attempt + 1, workerId: 'w', error: { type: 'E', message, stack }
  })
  const [first, second, last] = [
    failed(1, 'short', 's'.repeat(15_000)), failed(2, 'm'.repeat(9_500), 's'), failed(3, 'last', 's'.repeat(40_000))
  ]
  const execution = makeExecution({
    status: 'failed', attempt: 3, startedAt: 3, finishedAt: 4, workerId: 'w', error: last.error, attempts: [first, second, last]
  })
  const { execution: item, payload } = toLedgerEntry(execution)
  const cuts = ['/error/stack', '/attempts/0/error/stack', '/attempts/1/error/message', '/attempts/2/error/stack']
  const found = toFinishedExecution(item, payload, [])
  t.strictSame(found.truncated, cuts)
  t.strictSame(found.attempts.map(each => [each.error!.message.length, each.error!.stack!.length]), [[5, 8_192], [8_192, 1], [4, 32_768]])
  t.notOk(found.attempts.some(each => 'truncated' in each))
  t.strictSame(toFinishedExecution(item, payload, [first, second].map(cutAttempt)).truncated, cuts, 'also when recorded earlier')
  const late = toFinishedExecution(item, payload, [cutAttempt({ ...first, attempt: 0 })])
  t.strictSame(
    late.truncated,
    ['/error/stack', '/attempts/0/error/stack', '/attempts/1/error/stack', '/attempts/2/error/message', '/attempts/3/error/stack']
  )
})

t.test('a batch holds each execution once, ordered by id, without those too long for an index', async t => {
  const [a, b] = [makeExecution({ executionId: 'a' }), makeExecution({ executionId: 'b' })]
  const long = makeExecution({ taskName: 'x'.repeat(600) })
  t.strictSame(
    toLedgerEntries([b, a, long, { ...a, taskName: 'later' }, b]).map(entry => entry.execution.taskName + entry.execution.executionId),
    ['email:senda', 'email:sendb']
  )
  t.equal(isRecordable(long), false)
})

function roundTrip(execution: FinishedExecution): FinishedExecution {
  const { execution: item, payload } = toLedgerEntry(execution)
  return toFinishedExecution(item, payload, [])
}

function same(a: FinishedExecution, b: FinishedExecution): boolean {
  const sorted = (value: unknown) => JSON.stringify(value, (_key, each: unknown) =>
    each !== null && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([x], [y]) => x < y ? -1 : 1))
      : each)
  if (sorted(a) !== sorted(b)) throw new Error(`${sorted(a)}\n${sorted(b)}`)
  return true
}
