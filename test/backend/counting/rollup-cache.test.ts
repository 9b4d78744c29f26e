import t from 'tap'
import { createRollupCache, createRollupCaches } from '../../../lib/backend/counting/rollup-cache.ts'
import { packTally } from '../../../lib/backend/counting/tally.ts'

const known = (value: number) => ({ version: `v${value}`, value })

t.test('the cache drops the least recently read entry once it exceeds its byte limit', async t => {
  // An entry takes 1,300 bytes: 1,000 for its value and 300 for its name, version and place.
  const cache = createRollupCache<number>(4 * 1_300, () => 1_000)
  for (const name of ['a', 'b', 'c', 'd']) cache.set(name, known(1))
  cache.get('a')
  cache.set('e', known(2))
  t.strictSame(['a', 'b', 'c', 'd', 'e'].map(name => cache.get(name)?.value), [1, undefined, 1, 1, 2])
  t.equal(cache.bytes, 4 * 1_300)
  cache.set('c', known(3))
  t.strictSame([cache.get('c'), cache.bytes], [{ version: 'v3', value: 3 }, 4 * 1_300], 'a new version replaces the old one')
  cache.clear()
  t.strictSame([cache.get('c'), cache.bytes], [undefined, 0])
})

t.test('a value larger than the cache is not kept, and the bytes it pushed out are no longer counted', async t => {
  const cache = createRollupCache<number>(10_000, value => value)
  cache.set('small', known(100))
  cache.set('large', known(20_000))
  t.strictSame([cache.get('large'), cache.bytes], [undefined, 0])
  cache.set('small', known(100))
  t.equal(cache.get('small')?.value, 100)
})

t.test('both roll-up caches stay within their byte limit', async t => {
  const caches = createRollupCaches(1024 * 1024)
  const tally = packTally({
    success: 1, failed: 0, duration: new Map(Array.from({ length: 400 }, (_, bin) => [bin, 70_000])), wait: new Map([[1, 1]])
  })
  for (let i = 0; i < 1_000; i++) {
    caches.tallies.set(`hour:${i}`, { version: '1', value: tally })
    caches.byTask.set(`hour:${i}`, { version: '1', value: new Map(Array.from({ length: 20 }, (_, task) => [`task ${task}`, tally])) })
  }
  // An entry takes less than 4,500 bytes per task: 400 bins of 8 bytes each, and the overhead of objects and names.
  for (const [cache, each] of [[caches.tallies, 4_500], [caches.byTask, 20 * 4_500]] as const) {
    t.ok(cache.bytes <= 1024 * 1024 && cache.bytes > 1024 * 1024 - each, `${cache.bytes}`)
  }
  t.equal(caches.tallies.get('hour:0'), undefined)
  t.ok(caches.tallies.get('hour:999'))
  caches.clear()
  t.strictSame([caches.tallies.bytes, caches.byTask.bytes], [0, 0])
})
