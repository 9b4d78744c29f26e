import fc from 'fast-check'
import t from 'tap'
import { namesInSearch } from '../../../lib/backend/search/names-in-search.ts'
import { parseSearch } from '../../../lib/backend/search/parse-search.ts'
import { quoteSearchValue } from '../../../lib/backend/search/search-terms.ts'

t.test('each name in a search is returned once, including names in contradictory terms', async t => {
  t.same(namesInSearch(
    'task:a TASK:"b c" schedule:s id:x id:x free "task:no" worker:w'
  ), { taskNames: ['a', 'b c'], scheduleIds: ['s'], executionIds: ['x'] })
  t.same(namesInSearch(''), { taskNames: [], scheduleIds: [], executionIds: [] })
})

t.test('every name that the parsed search filters by is returned', async t => {
  const value = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.constantFrom('payroll', 'a b', '"', '\\', 'task:x', ':', '*'))
  const term = fc.oneof(
    fc.tuple(fc.constantFrom('task:', 'Task:', 'schedule:', 'id:', 'args.task:', 'error:', ''), value).map(
      ([field, text]) => field + quoteSearchValue(text)
    ),
    fc.tuple(fc.constantFrom('task:', 'id:', '-task:', ''), value).map(([field, text]) => field + text)
  )
  const between = fc.constantFrom(' ', '  ', '\t', '\u3000', '\u0085', '\0')
  let parsed = 0
  fc.assert(fc.property(fc.array(term, { maxLength: 6 }), between, (terms, space) => {
    const search = terms.join(space)
    const { taskNames, scheduleIds, executionIds } = namesInSearch(search)
    let filters
    try {
      filters = parseSearch(search, 0)
    } catch {
      return true
    }
    parsed++
    const isNamed = (name: string | undefined, names: readonly string[]): boolean => name === undefined || names.includes(name)
    return isNamed(filters.taskName, taskNames) && isNamed(filters.scheduleId, scheduleIds) && isNamed(filters.executionId, executionIds)
  }), { numRuns: 3_000 })
  t.ok(parsed > 300, `${parsed} of them parsed`)
})
