import t from 'tap'
import { createStoreClock } from '../../lib/stores/store-clock.ts'

const HOUR = 3_600_000

/** A datastore an hour behind a process, half a second away, and the two clocks of the process. */
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

t.test('it tells the time of the datastore, whatever a process believes, and asks once in twenty seconds', async t => {
  const { clock, time, pass } = open()
  t.equal(clock.now(), 10 * HOUR, 'before it was asked, that of the process')
  await Promise.all([clock.set(), clock.set()])
  t.equal(time.reads, 1, 'once for all who ask at the same time')
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

t.test('it asks again after the machine slept or its clock was set, and goes on where the datastore is away', async t => {
  const { clock, time, pass } = open()
  await clock.set()
  pass(10 * 60_000, { asleep: true })
  await clock.set()
  t.equal(clock.now(), time.store, 'the steady clock stood still meanwhile')
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
