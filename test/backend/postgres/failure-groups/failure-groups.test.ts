import t from 'tap'
import type { FailureGroupPosition } from '../../../../lib/backend/result-backend.ts'
import { HOUR_MS } from '../../../../lib/time/units.ts'
import { makeExecution } from '../../make-execution.ts'
import { openSql } from '../open-sql.ts'

const NOW = Date.now()
const failure = (errorGroup: string, finishedAt: number, taskName = 'a') =>
  makeExecution({ status: 'failed', errorGroup, finishedAt, taskName })

t.test('a page ends when its time is up, and the next one continues after the last group examined', async t => {
  const { backend } = await openSql(t, { delayMs: 300 })
  // 30 groups were seen before and after the range, and three of them also within it.
  const around = Array.from({ length: 30 }, (_, i) => [failure(`g${i}`, NOW - i), failure(`g${i}`, NOW - 20 * HOUR_MS)]).flat()
  await backend.record([...around, ...[3, 14, 28].map(i => failure(`g${i}`, NOW - 10 * HOUR_MS))])
  const query = { from: NOW - 11 * HOUR_MS, to: NOW - 9 * HOUR_MS, limit: 4 }
  const found: string[] = []
  let pages = 0
  for (let after: FailureGroupPosition | null | undefined; after !== null; pages++) {
    const page = await backend.failureGroups({ ...query, ...(after && { after }) })
    found.push(...page.groups.map(each => each.errorGroup))
    if (page.next !== null) t.equal(page.total.relation, 'at_least')
    after = page.next
  }
  t.strictSame(found, ['g3', 'g14', 'g28'])
  t.equal(pages, 7, 'five groups a page')
})

t.test('the hours of a group are not read if its all-time counts or its tasks suffice', async t => {
  const { backend, statements, explain } = await openSql(t)
  await backend.record(Array.from({ length: 40 }, (_, i) => [failure(`g${i}`, NOW - i), failure(`g${i}`, NOW - 5 * HOUR_MS, 'b')]).flat())
  const range = { from: NOW - 30 * HOUR_MS, to: NOW - 2 * HOUR_MS }
  for (const [query, isCounted] of [
    [{ taskName: 'never', ...range }, false], [{ from: NOW - 9 * HOUR_MS }, false], [{ from: NOW - 2 * HOUR_MS }, true]
  ] as const) {
    statements()
    await backend.failureGroups({ limit: 100, ...query })
    const plan = await explain(statements().find(({ text }) => /AS slice|slice AS/.test(text))!, 'ANALYZE')
    // The hours for the trend are read for every group returned.
    const hours = plan.split('\n').filter(line => /on failure_group_hours hours/.test(line))
    t.ok(hours.length > 0)
    t.equal(hours.some(line => !/never executed/.test(line)), isCounted, plan)
  }
})
