import fc from 'fast-check'
import t from 'tap'
import { overlapAtEnd, replaceText } from '../../../lib/queue-app/redaction/replace-text.ts'

/** Few letters, so that texts contain each other, fully or in part. */
const text = (maxLength: number) => fc.string({ unit: fc.constantFrom('a', 'b', '$&', '\n', '😀', '\ud800'), maxLength })
/** Longer than texts left to the engine's own search. Repeats, so that they contain their own start. */
const long = fc.tuple(text(6), fc.integer({ min: 0, max: 60 }), text(3)).map(([unit, times, end]) => unit.repeat(times) + end)

t.test('replaceText() replaces what replaceAll() replaces, for short and long texts', async t => {
  fc.assert(fc.property(long, fc.array(fc.oneof(long, text(5)), { maxLength: 6 }), fc.constantFrom('', '[redacted]', '$&', '$1'), (
    wanted, around, replacement
  ) => {
    fc.pre(wanted !== '')
    const whole = around.join(wanted)
    return replaceText(whole, wanted, replacement) === whole.replaceAll(wanted, () => replacement)
  }), { numRuns: 3_000 })
  for (const length of [63, 64, 65, 66]) {
    const wanted = 'ab'.repeat(length).slice(0, length)
    for (const whole of [
      wanted, wanted.slice(1), wanted + wanted, `a${wanted}`, `${wanted}${wanted.slice(1)}`, wanted.slice(0, -1) + wanted
    ]) {
      t.equal(replaceText(whole, wanted, '·'), whole.replaceAll(wanted, '·'), `${length} characters`)
    }
  }
})

t.test('overlapping occurrences are replaced from the left, as replaceAll() does', async t => {
  const wanted = 'a'.repeat(100)
  t.equal(replaceText('a'.repeat(250), wanted, '·'), `··${'a'.repeat(50)}`)
  t.equal(replaceText(`x${'a'.repeat(99)}x`, wanted, '·'), `x${'a'.repeat(99)}x`)
})

t.test('overlapAtEnd() returns the length of the longest start of a text at the end of another', async t => {
  fc.assert(fc.property(long, fc.oneof(long, text(8)), fc.nat(200), (wanted, before, cut) => {
    const whole = before + wanted.slice(0, cut)
    const lengths = Array.from({ length: Math.max(wanted.length, 1) }, (_, length) => length)
    return overlapAtEnd(whole, wanted) === lengths.findLast(length => whole.endsWith(wanted.slice(0, length)))
  }), { numRuns: 2_000 })
  t.equal(overlapAtEnd('abcabc', 'abcabc'), 3, 'the whole text is not a cut one')
  t.equal(overlapAtEnd('', 'abc'), 0)
  t.equal(overlapAtEnd('abc', ''), 0)
})
