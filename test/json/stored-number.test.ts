import t from 'tap'
import { storedNumber } from '../../lib/json/stored-number.ts'

t.test('a number may be stored as text, and anything else is none', async t => {
  for (const [value, number] of [
    ['1700000000000', 1_700_000_000_000], ['-0.5', -0.5], [0, 0], ['9007199254740993', 9_007_199_254_740_992],
    [null, null], [undefined, null], ['soon', null], ['NaN', null], [Infinity, null]
  ] as const) t.equal(storedNumber(value), number, String(value))
})
