import t from 'tap'
import { limitsFrom } from '../../../lib/engine/limiting/queue-limits.ts'

const KNOWN = '{"concurrency":2,"max":5,"duration":1000,"since":7,"by":"ana","reason":"slow"}'
const UNKNOWN = { since: null, by: null, reason: null }

t.test('the facts about limits count only for the current limits', async t => {
  const stored = { concurrency: '2', max: '5', duration: '1000' }
  const limits = { concurrency: 2, rate: { max: 5, durationMs: 1_000 } }
  t.strictSame(limitsFrom(stored, KNOWN), { ...limits, since: 7, by: 'ana', reason: 'slow' })
  t.strictSame(limitsFrom(stored, null), { ...limits, ...UNKNOWN }, 'other code set them')
  t.strictSame(limitsFrom({ ...stored, concurrency: '3' }, KNOWN), { ...limits, concurrency: 3, ...UNKNOWN }, 'other code changed one')
  t.strictSame(limitsFrom({ ...stored, max: null, duration: null }, KNOWN), { concurrency: 2, rate: null, ...UNKNOWN })
  for (const broken of ['', '{', 'null', '[]', '{"concurrency":"2"}'])
    t.match(limitsFrom(stored, broken), { ...limits, ...UNKNOWN }, broken)
  t.equal(limitsFrom({ concurrency: null, max: null, duration: null }, KNOWN), null, 'other code lifted them')
  t.equal(limitsFrom({ concurrency: 'undefined', max: 'x', duration: '0' }, null), null)
})
