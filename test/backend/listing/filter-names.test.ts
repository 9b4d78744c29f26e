import t from 'tap'
import { filtersOf, matchesFailuresOnly } from '../../../lib/backend/listing/filter-names.ts'
import type { FinishedQuery } from '../../../lib/backend/result-backend.ts'

const all = { order: 'newest', limit: 20 } as const
const inError = { in: 'error', words: ['timeout'] } as const
const anywhere = { in: 'any', words: ['timeout'] } as const

t.test('the filters of a query are its fields with a value, except time range, order and page', async t => {
  const rows: Array<[query: FinishedQuery, filters: string[]]> = [
    [all, []],
    [{ ...all, from: 1, to: 2, after: { finishedAt: 1, executionId: 'a' } }, []],
    [{ ...all, text: [] }, []],
    [{ ...all, text: [anywhere] }, ['text']],
    [{ ...all, minDurationMs: 0 }, ['minDurationMs']],
    [{ ...all, maxDurationMs: 5, errorGroup: 'g', workerId: 'w', scheduleId: 's', taskName: 't', status: 'failed' },
      ['status', 'taskName', 'scheduleId', 'workerId', 'errorGroup', 'maxDurationMs']]
  ]
  for (const [query, filters] of rows) t.strictSame(filtersOf(query), filters, JSON.stringify(query))
})

t.test('a query matches failures only if it asks for that status, for a group, or for words of an error', async t => {
  const rows: Array<[query: FinishedQuery, failuresOnly: boolean]> = [
    [all, false],
    [{ ...all, status: 'success' }, false],
    [{ ...all, status: 'failed' }, true],
    [{ ...all, errorGroup: 'g' }, true],
    [{ ...all, text: [anywhere] }, false],
    [{ ...all, text: [anywhere, inError] }, true]
  ]
  for (const [query, failuresOnly] of rows) t.equal(matchesFailuresOnly(query), failuresOnly, JSON.stringify(query))
})
