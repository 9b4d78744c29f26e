import t from 'tap'
import { createStoreClock } from '../../lib/stores/store-clock.ts'

const HOUR = 3_600_000

/** A datastore whose clock is an hour behind the process and half a second away, and the process's two clocks. */
function open() {
  const time = { wall: 10 * HOUR, steady: 5_000, store: 9 * HOUR, reads: 0, isAway: false }
  const pass = (ms: number, { asleep = false } = {}) => {
    time.wall += ms
    time.store += ms
    if (!asleep) time.steady += ms
  }
  const clock = createStoreClock(async () => {
    time.reads++
    if (time.isAway) throw new Error('away')
    pass(250)
    const told = time.store
    pass(250)
    return told
  }, { wallClock: () => time.wall, steadyClock: () => time.steady })
  return { clock, time, pass }
}

t.test('the clock follows the datastore, not the clock of the process, and reads it once in twenty seconds', async t => {
  const { clock, time, pass } = open()
  t.equal(clock.now(), 10 * HOUR, "the process's clock at first")
  await Promise.all([clock.set(), clock.set()])
  t.equal(time.reads, 1, 'one request for concurrent callers')
  t.equal(clock.now(), time.store)
  t.equal(clock.aheadMs(), HOUR)
  t.equal(clock.latest(), time.wall)
  pass(19_000)
  await clock.set()
  t.equal(time.reads, 1)
  t.equal(clock.now(), time.store)
  pass(2_000)
  await clock.set()
  t.equal(time.reads, 2)
})

t.test('the clock is read again after the machine slept or its time was set, and continues while the datastore is unavailable', async t => {
  const { clock, time, pass } = open()
  await clock.set()
  pass(10 * 60_000, { asleep: true })
  await clock.set()
  t.equal(clock.now(), time.store, 'the steady clock stood still')
  time.wall += HOUR
  await clock.set()
  t.match([time.reads, clock.now(), clock.aheadMs()], [3, time.store, 2 * HOUR])
  time.isAway = true
  pass(60_000)
  await clock.set()
  t.equal(clock.now(), time.store)

  const never = open()
  never.time.isAway = true
  await t.rejects(never.clock.set(), { message: 'away' })
})
