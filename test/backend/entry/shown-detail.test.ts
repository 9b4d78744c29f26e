import fc from 'fast-check'
import t from 'tap'
import type { ExecutionDetail } from '../../../lib/execution.ts'
import { toFinishedExecution, toLedgerEntry } from '../../../lib/backend/entry/ledger-entry.ts'
import { cutAttempt } from '../../../lib/backend/entry/limits.ts'
import { toShownDetail } from '../../../lib/backend/entry/shown-detail.ts'
import { makeExecution } from '../make-execution.ts'

t.test('an execution within the limits is shown unchanged', async t => {
  const execution: ExecutionDetail = makeExecution({
    status: 'failed', result: { a: [1] }, progress: { half: true }, logs: ['one'], attempt: 1
  })
  t.strictSame(toShownDetail(execution, []), execution)
  t.equal(toShownDetail(makeExecution({ args: null }), []).args, null)
})

t.test('an execution over the limits is shown cut as the ledger cuts it, and says so in `truncated`', async () => {
  const size = (limit: number) => fc.constantFrom(0, 10, limit - 1, limit, limit + 1, limit * 2)
  const text = (limit: number) => size(limit).map(length => 'x'.repeat(length))
  const error = fc.record({ type: text(200), message: text(8_192), stack: fc.option(text(32_768)) })
  const args = fc.option(text(65_536).map(each => [each]))
  const given = fc.record({ args, result: text(65_536), logs: fc.array(text(30_000), { maxLength: 4 }), error, earlier: fc.option(error) })
  fc.assert(fc.property(given, ({ earlier, error, ...fields }) => {
    const first = { attempt: 1, startedAt: 1, finishedAt: 2, workerId: null, error: earlier }
    const last = { attempt: 2, startedAt: 3, finishedAt: 4, workerId: 'w', error }
    const execution = makeExecution({
      ...fields, status: 'failed', error, attempt: 2, startedAt: 3, finishedAt: 4, workerId: 'w', attempts: [first, last]
    })
    const { execution: item, payload } = toLedgerEntry(execution)
    const recorded = toFinishedExecution(item, payload, [cutAttempt(first)])
    const shown = toShownDetail(execution, [cutAttempt(first)])
    for (const field of ['args', 'result', 'logs'] as const) same(shown[field], recorded[field])
    same([shown.error?.message, shown.error?.stack], [recorded.error?.message, recorded.error?.stack])
    same(shown.attempts[0], recorded.attempts[0])
    const own = (truncated: readonly string[]) => truncated.filter(pointer => !pointer.startsWith('/attempts/1')).toSorted()
    same(own(shown.truncated), own(recorded.truncated))
  }), { numRuns: 300 })
})

function same(one: unknown, other: unknown): void {
  if (JSON.stringify(one) !== JSON.stringify(other))
    throw new Error(`${JSON.stringify(one)?.slice(0, 300)}\n${JSON.stringify(other)?.slice(0, 300)}`)
}
