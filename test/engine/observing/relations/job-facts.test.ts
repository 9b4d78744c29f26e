import t from 'tap'
import { deduplicationIdIn, placesIn, traceFrom } from '../../../../lib/engine/observing/relations/job-facts.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const SPAN = 'b7ad6b7169203331'

t.test('a trace is read from a W3C carrier, and anything else gives none', async t => {
  const read = (tm: unknown) => traceFrom({ tm })
  const carrier = (traceparent: unknown) => JSON.stringify({ traceparent, tracestate: 'a=b' })
  t.same(read(carrier(`00-${TRACE}-${SPAN}-01`)), { traceId: TRACE, spanId: SPAN })
  t.same(read(carrier(`cc-${TRACE}-${SPAN}-01-what-comes-later`)), { traceId: TRACE, spanId: SPAN })
  for (const tm of [
    undefined, null, 7, '', '{', 'null', '[]', '"x"', carrier(7), carrier(`00-${TRACE.toUpperCase()}-${SPAN}-01`),
    carrier(`00-${'0'.repeat(32)}-${SPAN}-01`), carrier(`00-${TRACE}-${'0'.repeat(16)}-01`), carrier(`00-${TRACE}-${SPAN}-01x`),
    carrier(`ff-${TRACE}-${SPAN}-01`), carrier(`00-${TRACE}-${SPAN}-01-later`), carrier(`00-${TRACE}-${SPAN}-01`).padEnd(10_000)
  ]) t.equal(read(tm), null, String(tm).slice(0, 60))
})

t.test('the key of a job is parsed in every way that its colons allow', async t => {
  t.same(placesIn('bull:mail:17'), [{ prefix: 'bull', name: 'mail', jobId: '17' }])
  t.same(placesIn('bull:mail:repeat:x:5')[0], { prefix: 'bull', name: 'mail', jobId: 'repeat:x:5' })
  t.same(placesIn('{a}:b:mail:17').at(-1), { prefix: '{a}:b', name: 'mail', jobId: '17' })
  for (const key of ['', ':', '::', 'mail', 'bull:mail', 'bull:mail:', 'bull::17']) t.same(placesIn(key), [], key)
  t.equal(placesIn(':'.repeat(5_000)).length, 0)
  t.ok(placesIn('a:'.repeat(5_000)).length < 20)
})

t.test('the id of a deduplication key is found under each name that versions of BullMQ use for it', async t => {
  t.equal(deduplicationIdIn({ de: { id: 'one' } }), 'one')
  t.equal(deduplicationIdIn({ deduplication: { id: 'one' } }), 'one')
  t.equal(deduplicationIdIn({ debounce: { id: 'one' } }), 'one')
  for (const opts of [{}, { de: null }, { de: 'x' }, { de: { id: 7 } }, { de: { id: '' } }]) t.equal(deduplicationIdIn(opts), null)
})
