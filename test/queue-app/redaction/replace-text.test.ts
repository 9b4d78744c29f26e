import fc from 'fast-check'
import t from 'tap'
import { overlapAtEnd, replaceText } from '../../../lib/queue-app/redaction/replace-text.ts'

/** Few letters, so that texts hold each other, whole and in part. */
const text = (maxLength: number) => fc.string({ unit: fc.constantFrom('a', 'b', '$&', '\n', '😀', '\ud800'), maxLength })
/** Longer than what is left to the engine's own search: made of repeats, which begin like themselves. */
const long = fc.tuple(text(6), fc.integer({ min: 0, max: 60 }), text(3)).map(([unit, times, end]) => unit.repeat(times) + end)

t.test('a text is replaced wherever the language itself would replace it, short or long', async t => {
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

t.test('occurrences that overlap are replaced from the left, as the language does', async t => {
  const wanted = 'a'.repeat(100)
  t.equal(replaceText('a'.repeat(250), wanted, '·'), `··${'a'.repeat(50)}`)
  t.equal(replaceText(`x${'a'.repeat(99)}x`, wanted, '·'), `x${'a'.repeat(99)}x`)
})

t.test('how much of a text stands cut at the end of another is told exactly', async t => {
  fc.assert(fc.property(long, fc.oneof(long, text(8)), fc.nat(200), (wanted, before, cut) => {
    const whole = before + wanted.slice(0, cut)
    const lengths = Array.from({ length: Math.max(wanted.length, 1) }, (_, length) => length)
    return overlapAtEnd(whole, wanted) === lengths.findLast(length => whole.endsWith(wanted.slice(0, length)))
  }), { numRuns: 2_000 })
  t.equal(overlapAtEnd('abcabc', 'abcabc'), 3, 'all of it is no cut one')
  t.equal(overlapAtEnd('', 'abc'), 0)
  t.equal(overlapAtEnd('abc', ''), 0)
})
