import t from 'tap'
import { readRemoval } from '../../../lib/queue-app/monitoring/removal.ts'

const NOW = Date.UTC(2026, 10, 20, 9)
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A UUID of version 7 with that time. */
function idOf(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

function backend(prunedBefore: number | null, ...remembered: string[]) {
  const kept = { count: 0, oldestFinishedAt: null }
  return {
    kept: async () => ({ success: kept, failed: kept, prunedBefore }),
    missing: async (ids: readonly string[]) => ids.filter(id => !remembered.includes(id))
  }
}

t.test('a missing execution was removed by a person, by retention, or never existed', async t => {
  const [old, recent] = [idOf(NOW - 10 * DAY_MS), idOf(NOW - 30_000)]
  const weekAgo = NOW - 7 * DAY_MS
  t.equal(await readRemoval(backend(null), old, NOW), null)
  t.equal(await readRemoval(backend(null, recent), recent, NOW), 'deleted')
  t.strictSame(await readRemoval(backend(weekAgo), old, NOW), { prunedBefore: weekAgo })
  t.equal(await readRemoval(backend(weekAgo), recent, NOW), null)
  t.equal(await readRemoval(backend(weekAgo, old), old, NOW), 'deleted', 'a failed one is kept for longer than what was pruned')
  t.equal(await readRemoval(backend(weekAgo, recent), recent, NOW), 'deleted')
  t.equal(await readRemoval(backend(weekAgo, 'an-id'), 'an-id', NOW), 'deleted', 'the id contains no time')
  const now = NOW - 20_000
  t.strictSame(await readRemoval(backend(now, recent), recent, NOW), { prunedBefore: now }, 'retention also remembers such recent ids')
})
