import t from 'tap'
import { beginningsOfView, createBeginnings } from '../../../../ui/src/format/health/beginnings.ts'

const SECOND = 1_000

t.test('a problem has a known start only if a check shortly before did not show it', async t => {
  t.equal(createBeginnings().since('broker', 100 * SECOND, 97 * SECOND), 100 * SECOND)
  t.equal(createBeginnings().since('broker', 100 * SECOND, null), null, 'a view that was opened during the problem')
  t.equal(createBeginnings().since('broker', 1_000 * SECOND, 100 * SECOND), null, 'a view that made no request for a quarter of an hour')
})

t.test('every view shows the same start of a problem', async t => {
  const beginnings = createBeginnings()
  t.equal(beginnings.since('broker', 100 * SECOND, 97 * SECOND), 100 * SECOND)
  t.equal(beginnings.since('broker', 130 * SECOND, null), 100 * SECOND, 'another view, opened later')
  t.equal(beginnings.since('backend', 130 * SECOND, null), null, 'another problem')
  t.equal(beginnings.since('broker', 185 * SECOND, 184 * SECOND), 100 * SECOND, 'the problem lasts longer than views wait')
})

t.test('a problem that ended, or was not checked for a while, starts over', async t => {
  const beginnings = createBeginnings()
  beginnings.since('broker', 100 * SECOND, 97 * SECOND)
  beginnings.end('broker')
  t.equal(beginnings.since('broker', 110 * SECOND, 109 * SECOND), 110 * SECOND)
  t.equal(beginnings.since('broker', 400 * SECOND, null), null)
})

t.test('the start of a refusal in one view does not apply to another view', async t => {
  const shared = createBeginnings()
  const [health, schedules] = [beginningsOfView(shared), beginningsOfView(shared)]
  t.equal(health.since('STORE_REFUSED', 100 * SECOND, 97 * SECOND), 100 * SECOND, 'it had a response shortly before')
  t.equal(schedules.since('STORE_REFUSED', 101 * SECOND, null), null, 'it never had one, and may need a right that was never given')
  t.equal(health.since('STORE_REFUSED', 104 * SECOND, 97 * SECOND), 100 * SECOND)
  health.end('STORE_REFUSED')
  t.equal(schedules.since('STORE_REFUSED', 110 * SECOND, null), null)

  t.equal(health.since('BROKER_UNAVAILABLE', 200 * SECOND, 197 * SECOND), 200 * SECOND)
  t.equal(schedules.since('BROKER_UNAVAILABLE', 201 * SECOND, null), 200 * SECOND, 'an outage is the same for all')
})
