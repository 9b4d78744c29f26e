import t from 'tap'
import { createLeasedLoop } from '../../../lib/backend/upkeep/leased-loop.ts'
import { waitFor } from '../../support/wait-for.ts'

const leases = { acquireLease: async () => true, releaseLease: async () => {} }

t.test('a pass that failed is tried again sooner than its turn, with growing pauses', async t => {
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
  // Each at least half of its length, less what a timer is early.
  t.ok([250, 500, 1_000].every((least, index) => pauses[index]! > least - 10), `pauses of ${pauses.map(Math.round).join(', ')} ms`)
  t.equal(errors.length, 1, 'told once')
})

t.test('a pass that fails for good is not repeated much more often than its turn', async t => {
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
  // Pauses of half to all of 500 ms.
  t.ok(performance.now() - begun > 3 * 250 - 10)
})

t.test('no pass begins after a stop during a pause', async t => {
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
