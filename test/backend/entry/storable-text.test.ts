import fc from 'fast-check'
import t from 'tap'
import { fromStorable, toStorable } from '../../../lib/backend/entry/storable-text.ts'

const hostile = fc.array(
  fc.oneof(fc.constantFrom('\u0000', '\u0001', '\ud800', '\udfff', '🦊', '00', 'd800', '\u00010000'), fc.string()), { maxLength: 12 }
).map(parts => parts.join(''))

t.test('any text survives UTF-8, and is stored without NUL', async () => {
  fc.assert(fc.property(hostile, text => {
    const stored = toStorable(text)
    return !stored.includes('\u0000') && fromStorable(Buffer.from(stored).toString()) === text
  }), { numRuns: 5_000 })
})

t.test('ordinary text is stored unchanged', async t => {
  for (const text of ['', 'email:send', '日報 🦊', 'a\\b\n\t"\'']) t.equal(toStorable(text), text)
})
