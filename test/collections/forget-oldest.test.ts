import t from 'tap'
import { forgetOldest } from '../../lib/collections/forget-oldest.ts'

t.test('the oldest go together, once there are a tenth more than are kept', async t => {
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

t.test('an entry that was set again after it was removed counts as new, and the caller may forget in its own way', async t => {
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
