import t from 'tap'
import { forgetOldest } from '../../lib/collections/forget-oldest.ts'

t.test('once the limit is exceeded by a tenth, the oldest entries are removed together', async t => {
  const kept = new Map<number, string>()
  const sizes: number[] = []
  for (let key = 0; key < 30; key++) {
    kept.set(key, 'any')
    forgetOldest(kept, 20)
    sizes.push(kept.size)
  }
  t.equal(Math.max(...sizes), 22)
  t.same(sizes.slice(20, 25), [21, 22, 20, 21, 22])
  t.same([...kept.keys()], Array.from({ length: 21 }, (_, index) => 9 + index))
})

t.test('an entry that was removed and set again counts as new, and the caller may supply its own removal', async t => {
  const kept = new Map([[1, 'one'], [2, 'two'], [3, 'three'], [4, 'four']])
  kept.delete(1)
  kept.set(1, 'again')
  const forgotten: number[] = []
  forgetOldest(kept, 2, key => {
    forgotten.push(key)
    kept.delete(key)
  })
  t.same(forgotten, [2, 3])
  t.same([...kept.keys()], [4, 1])
})
