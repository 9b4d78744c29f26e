import t from 'tap'
import { createOrphanedTotals } from '../../../lib/backend/upkeep/orphaned-totals.ts'

const MINUTE_MS = 60_000

function open() {
  const counted = new Set(['stands', 'gone'])
  const standing = new Set(['stands'])
  const looks: number[] = []
  let at = 0
  let refuses = false
  const totals = createOrphanedTotals({
    now: () => at,
    standing: async ids => new Set(ids.filter(id => standing.has(id))),
    backend: {
      async countedSchedules(cursor) {
        if (refuses) throw new Error('away')
        looks.push(at)
        const ids = [...counted].sort()
        const next = ids.findIndex(id => cursor === null || id > cursor)
        return { scheduleIds: ids.slice(next, next + 1), next: next + 1 < ids.length ? ids[next]! : null }
      },
      async forgetSchedule(id) { counted.delete(id) }
    }
  })
  const pass = (minutes: number): Promise<number> => {
    at += minutes * MINUTE_MS
    return totals.tidy(new AbortController().signal)
  }
  return { counted, standing, looks, pass, refuse: (is: boolean) => { refuses = is } }
}

t.test('the totals of a deleted schedule are removed after an hour, and not before', async t => {
  const { counted, pass } = open()
  for (let minutes = 0; minutes < 60; minutes += 10) t.equal(await pass(minutes === 0 ? 0 : 10), 0)
  t.ok(counted.has('gone'))
  t.equal(await pass(10), 1)
  t.strictSame([...counted], ['stands'])
})

t.test('the hour starts again when the schedule returns, or when no check was made for a while', async t => {
  const { counted, standing, pass } = open()
  for (const minutes of [0, 10, 10, 10]) await pass(minutes)
  standing.add('gone')
  await pass(10)
  standing.delete('gone')
  for (const minutes of [10, 10, 10, 10]) await pass(minutes)
  t.ok(counted.has('gone'), 'it existed half an hour ago')
  await pass(45)
  t.ok(counted.has('gone'), 'there was no check for three quarters of an hour')
  for (const minutes of [10, 10, 10, 10, 10, 10]) await pass(minutes)
  t.notOk(counted.has('gone'))
})

t.test('it checks every ten minutes, and again at the next pass after a failed check', async t => {
  const { looks, pass, refuse } = open()
  await pass(0)
  t.equal(looks.length, 2, 'both pages')
  await pass(9)
  t.equal(looks.length, 2)
  refuse(true)
  await t.rejects(pass(1), { message: 'away' })
  refuse(false)
  await pass(1)
  t.equal(looks.length, 4)
})

t.test('no page is read once its process is stopping', async t => {
  const totals = createOrphanedTotals({
    standing: async () => new Set(),
    backend: { countedSchedules: async () => t.fail('asked'), forgetSchedule: async () => {} } as never
  })
  t.equal(await totals.tidy(AbortSignal.abort()), 0)
})
