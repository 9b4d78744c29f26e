import t from 'tap'
import fc from 'fast-check'
import type { Execution } from '../../../../lib/execution.ts'
import { lastChangeOf } from '../../../../lib/queue-app/monitoring/executions/execution-filter.ts'
import type { ExecutionPage } from '../../../../lib/queue-app/monitoring/executions/execution-page.ts'
import type { ExecutionOrder, ExecutionStatus } from '../../../../schemas/execution.ts'
import { createHistoryOver, execution, toExecutions } from './create-history-over.ts'

t.test('for every filter and order, the pages have each execution once, in order, with the exact total', async t => {
  await t.resolves(fc.assert(fc.asyncProperty(
    fc.array(execution, { maxLength: 40 }), fc.integer({ min: 1, max: 7 }), fc.constantFrom<ExecutionOrder>('newest', 'oldest'),
    fc.constantFrom<ExecutionStatus | undefined>(undefined, 'pending', 'running', 'success', 'failed'),
    fc.constantFrom<string | undefined>(undefined, 'a'),
    async (drawn, limit, order, status, taskName) => {
      const all = toExecutions(drawn)
      const wanted = all.filter(one => (!status || one.status === status) && (!taskName || one.taskName === taskName))
      const pages = await createHistoryOver(all).pagesOf({ order, limit, ...(status && { status }), ...(taskName && { taskName }) })
      for (const { total, scanned, complete } of pages) {
        if (total.value !== wanted.length || total.relation !== 'exact') throw new Error(`total ${total.value}, not ${wanted.length}`)
        if (scanned !== null || !complete) throw new Error('nothing had to be scanned')
      }
      checkPages(pages, wanted, order)
    }
  ), { numRuns: 300 }))
})

t.test('pages of a scanned search have each match once, in order, even when whole pages have no match', async t => {
  await t.resolves(fc.assert(fc.asyncProperty(
    fc.array(execution, { maxLength: 60 }), fc.integer({ min: 1, max: 7 }), fc.constantFrom<ExecutionOrder>('newest', 'oldest'),
    fc.integer({ min: 2, max: 20 }),
    async (drawn, limit, order, oneIn) => {
      const all = toExecutions(drawn)
      const argsOf = ({ executionId }: Execution) => [Number(executionId.slice(1)) % oneIn === 0 ? 'needle' : 'hay']
      const wanted = all.filter(one => argsOf(one)[0] === 'needle')
      const pages = await createHistoryOver(all, argsOf).pagesOf({ order, limit, search: 'args:needle' })
      for (const { executions, total, scanned, complete, nextCursor } of pages) {
        if (scanned === null) throw new Error('it was scanned')
        if (!complete && (executions.length === limit || nextCursor === null))
          throw new Error('complete although it went on, or the other way')
        if (complete && executions.length < limit && nextCursor !== null) throw new Error('a short page that says it is complete')
        if (total.value > wanted.length) throw new Error(`total ${total.value}, over ${wanted.length}`)
        if (total.relation === 'exact' && total.value !== wanted.length) throw new Error('a wrong total that calls itself exact')
      }
      checkPages(pages, wanted, order)
    }
  ), { numRuns: 300 }))
})

function checkPages(pages: ExecutionPage[], wanted: readonly Execution[], order: ExecutionOrder): void {
  const seen = pages.flatMap(page => page.executions)
  const times = seen.map(lastChangeOf)
  if (!times.every((time, index) => index === 0 || (order === 'newest' ? times[index - 1]! >= time : times[index - 1]! <= time)))
    throw new Error('not in order of time')
  const ids = seen.map(one => one.executionId).sort()
  if (JSON.stringify(ids) !== JSON.stringify(wanted.map(one => one.executionId).sort()))
    throw new Error('an execution is missing or listed twice')
}
