import t from 'tap'
import { createLeasedLoop } from '../../../lib/backend/upkeep/leased-loop.ts'
import { waitFor } from '../../support/wait-for.ts'

const leases = { acquireLease: async () => true, releaseLease: async () => {} }

t.test('a failed pass is retried before its next turn, with growing pauses', async t => {
  const begunAt: number[] = []
  const errors: Error[] = []
  const loop = createLeasedLoop({
    lease: 'l', leases, holder: 'a', everyMs: 3_600_000, startsAtOnce: true, onError: error => errors.push(error),
    async pass() {
      begunAt.push(performance.now())
      if (begunAt.length <= 3) throw new Error('away')
      return 0
    }
  })
  t.teardown(() => loop.stop())
  loop.start()
  await waitFor('a failure', async () => loop.failingSinceMs() !== null)
  await waitFor('a pass to succeed', async () => loop.failingSinceMs() === null)
  t.equal(begunAt.length, 4)
  const pauses = begunAt.slice(1).map((at, index) => at - begunAt[index]!)
  // Each is at least half its nominal length, less 10 ms because timers may fire early.
  t.ok([250, 500, 1_000].every((least, index) => pauses[index]! > least - 10), `pauses of ${pauses.map(Math.round).join(', ')} ms`)
  t.equal(errors.length, 1, 'reported once')
})

t.test('a pass that always fails runs at most a few times as often as its interval', async t => {
  let passes = 0
  const loop = createLeasedLoop({
    lease: 'l', leases, holder: 'a', everyMs: 1_500, startsAtOnce: true, onError() {},
    async pass() {
      passes++
      throw new Error('for good')
    }
  })
  t.teardown(() => loop.stop())
  const begun = performance.now()
  loop.start()
  await waitFor('some passes', async () => passes >= 4)
  // The pauses are between half and all of 500 ms.
  t.ok(performance.now() - begun > 3 * 250 - 10)
})

t.test('no pass begins after stop() during a pause', async t => {
  let passes = 0
  const loop = createLeasedLoop({
    lease: 'l', leases, holder: 'a', everyMs: 60_000, startsAtOnce: true, onError() {},
    async pass() {
      passes++
      throw new Error('away')
    }
  })
  loop.start()
  await waitFor('a failure', async () => loop.failingSinceMs() !== null)
  await loop.stop()
  const before = passes
  await new Promise(resolve => setTimeout(resolve, 700))
  t.equal(passes, before)
})

t.test('wake() starts the next pass without waiting for its turn, even if it is called during a pass', async t => {
  let passes = 0
  let end = (): void => {}
  const loop = createLeasedLoop({
    lease: 'l', leases, holder: 'a', everyMs: 3_600_000, startsAtOnce: true, onError(error) { t.error(error) },
    async pass() {
      passes++
      await new Promise<void>(resolve => { end = resolve })
      return 0
    }
  })
  loop.start()
  t.equal(passes, 1)
  loop.wake()
  loop.wake()
  t.equal(passes, 1, 'passes do not overlap')
  end()
  await waitFor('the pass after it', async () => passes === 2)
  end()
  // The pass has ended, and the loop now waits for an hour.
  await new Promise(resolve => setImmediate(resolve))
  t.equal(passes, 2, 'two calls during one pass cause one more pass')
  loop.wake()
  t.equal(passes, 3)
  const stopped = loop.stop()
  loop.wake()
  end()
  await stopped
  loop.wake()
  t.equal(passes, 3, 'a stopped loop is not woken')
})

t.test('the result of a pass says when the next one begins', async t => {
  const results: number[] = []
  const loop = createLeasedLoop<number>({
    lease: 'l', leases, holder: 'a', everyMs: 3_600_000, startsAtOnce: true, onError(error) { t.error(error) },
    async pass() {
      results.push(results.length)
      return results.length < 3 ? 0 : 3_600_000
    },
    pauseMs: result => result
  })
  t.teardown(() => loop.stop())
  loop.start()
  await waitFor('three passes', async () => results.length >= 3)
  t.same(results, [0, 1, 2], 'the last one asked for an hour')
})

t.test('a lease held within renewAfterMs is not requested again, and a refused one is requested each time', async t => {
  const answers = [true, false, false]
  let asked = 0
  const loop = createLeasedLoop<boolean[]>({
    lease: 'l', leases: { ...leases, acquireLease: async () => answers[asked++]! }, holder: 'a', renewAfterMs: 3_600_000,
    everyMs: 3_600_000, startsAtOnce: false, onError(error) { t.error(error) },
    pass: async ({ holdLease }) => [await holdLease(), await holdLease()]
  })
  t.same(await loop.runOnce(), [true, true])
  t.equal(asked, 1)
  const always = createLeasedLoop<boolean[]>({
    lease: 'l', leases: { ...leases, acquireLease: async () => answers[asked++]! }, holder: 'a', everyMs: 3_600_000, startsAtOnce: false,
    onError(error) { t.error(error) }, pass: async ({ holdLease }) => [await holdLease(), await holdLease()]
  })
  t.same(await always.runOnce(), [false, false])
  t.equal(asked, 3)
})

t.test('the lease number changes if another process may have held the lease in between', async t => {
  const { now } = performance
  let clock = 0
  performance.now = () => clock
  t.teardown(() => { performance.now = now })
  let isFree = true
  const loop = createLeasedLoop<number>({
    lease: 'l', leases: { ...leases, acquireLease: async () => isFree }, holder: 'a', leaseMs: 5_000, everyMs: 3_600_000,
    startsAtOnce: false, onError(error) { t.error(error) },
    pass: async ({ holdLease, leaseNumber }) => await holdLease() ? leaseNumber() : 0
  })
  const first = await loop.runOnce()
  clock = 5_000
  t.equal(await loop.runOnce(), first, 'it was renewed in time')
  clock = 10_001
  t.equal(await loop.runOnce(), first + 1, 'it had expired')
  isFree = false
  t.equal(await loop.runOnce(), 0)
  isFree = true
  t.equal(await loop.runOnce(), first + 2, 'someone else had it')
})
