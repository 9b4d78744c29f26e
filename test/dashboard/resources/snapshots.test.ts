import t from 'tap'
import { createSnapshots } from '../../../lib/dashboard/resources/snapshots.ts'

void t.test('a load is shared for a second and then repeated', async t => {
  let now = 0
  let loads = 0
  const snapshots = createSnapshots(() => now)
  const read = () => snapshots.read('a', async () => ++loads)
  t.strictSame(await Promise.all([read(), read(), read()]), [1, 1, 1])
  now = 999
  t.equal(await read(), 1)
  now = 1000
  t.equal(await read(), 2)
  t.equal(await snapshots.read('b', async () => 'other'), 'other')
})

void t.test('a failure reaches everyone who is waiting, and is not cached', async t => {
  let loads = 0
  const snapshots = createSnapshots(() => 0)
  const read = () => snapshots.read('a', async () => { if (++loads === 1) throw new Error('once'); return loads })
  await t.rejects(Promise.all([read(), read()]), { message: 'once' })
  t.equal(await read(), 2)
})

void t.test('what was loaded before a write is not shown after it', async t => {
  const snapshots = createSnapshots(() => 0)
  const { promise, resolve } = deferred<string>()
  const before = snapshots.read('a', () => promise)
  snapshots.clear()
  t.equal(await snapshots.read('a', async () => 'new'), 'new')
  resolve('old')
  t.equal(await before, 'old')
  t.equal(await snapshots.read('a', async () => 'newer'), 'new')
})

void t.test('the number of entries is limited', async t => {
  const snapshots = createSnapshots(() => 0)
  for (let key = 0; key < 201; key++) await snapshots.read(`k${key}`, async () => 'first')
  t.equal(await snapshots.read('k0', async () => 'again'), 'again', 'the oldest was dropped')
  t.equal(await snapshots.read('k200', async () => 'again'), 'first')
})

function deferred<Value>() {
  let resolve!: (value: Value) => void
  const promise = new Promise<Value>(done => { resolve = done })
  return { promise, resolve }
}
