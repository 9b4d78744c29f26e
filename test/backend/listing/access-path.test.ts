import t from 'tap'
import { type AccessPath, type Cost, cheapestOf, choosePath } from '../../../lib/backend/listing/access-path.ts'
import type { Filter } from '../../../lib/backend/listing/filter-names.ts'

const byTask: AccessPath<string> = { lists: ['task'], covers: new Set(['status', 'taskName']) }
const byWorker: AccessPath<string> = { lists: ['worker'], covers: new Set(['status', 'workerId']) }
const byGroup: AccessPath<string> = { lists: [], covers: new Set(['status', 'errorGroup']) }
const byFinish: AccessPath<string> = { lists: ['success', 'failed'], covers: new Set(['status']) }

t.test('a path that covers all filters wins, then an empty one, then the cheapest', async t => {
  type Path = AccessPath<string>
  const rows: Array<[title: string, paths: Path[], filters: Filter[], costs: Cost[] | null, chosen: Path, remaining: Filter[]]> = [
    ['no filter is covered by any path', [byTask, byFinish], [], null, byTask, []],
    ['one covers all', [byWorker, byTask, byFinish], ['status', 'taskName'], null, byTask, []],
    ['one is empty', [byTask, byGroup, byFinish], ['taskName', 'errorGroup'], null, byGroup, ['taskName']],
    ['there is no other', [byFinish], ['workerId'], null, byFinish, ['workerId']],
    ['none covers all', [byTask, byWorker, byFinish], ['taskName', 'workerId'], [[20], [3], [90]], byWorker, ['taskName']],
    ['the costs are the same', [byTask, byWorker], ['taskName', 'workerId', 'text'], [[20], [20]], byTask, ['workerId', 'text']]
  ]
  for (const [title, paths, filters, costs, path, remaining] of rows) {
    let asked = 0
    const chosen = await choosePath(paths, filters, async () => {
      asked++
      return costs ?? []
    })
    t.equal(chosen.path, path, title)
    t.strictSame(chosen.remaining, remaining, title)
    t.equal(asked, costs === null ? 0 : 1, `${title}: costs are estimated only when they decide`)
  }
})

t.test('the first differing number of a cost decides, and among equals the first path wins', async t => {
  const rows: Array<[costs: Cost[], cheapest: string]> = [
    [[[5], [2], [9]], 'b'],
    [[[200, -50], [200, -90], [200, 10]], 'b'],
    [[[3, 900], [200, -900]], 'a'],
    [[[1, 2], [1, 2], [0, 99]], 'c'],
    [[[7, 1], [7, 1]], 'a']
  ]
  for (const [costs, cheapest] of rows) t.equal(cheapestOf(['a', 'b', 'c'].slice(0, costs.length), costs), cheapest, JSON.stringify(costs))
})
