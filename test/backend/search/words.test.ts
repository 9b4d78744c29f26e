import fc from 'fast-check'
import t from 'tap'
import { wordsOf } from '../../../lib/backend/search/words.ts'
import { inTime } from '../../support/in-time.ts'

t.test('words are runs of letters and digits, regardless of case and Unicode form', async t => {
  const table: Array<[string, string[]]> = [
    ['connect ECONNREFUSED 127.0.0.1:6379', ['connect', 'econnrefused', '127', '0', '0', '1', '6379']],
    ['send_email user-id', ['send', 'email', 'user', 'id']],
    ['Ｆｕｌｌ ﬁne Ⅷ', ['full', 'fine', 'viii']],
    ['ΟΔΟΣ', ['οδοσ']],
    ['e\u0301te\u0301', ['été']],
    ['日本語 テスト サーバー', ['日', '本', '語', 'テ', 'ス', 'ト', 'サ', 'ー', 'バ', 'ー']],
    ['order注文42', ['order', '注', '文', '42']],
    ['a\u0000b \ud800c', ['a', 'b', 'c']],
    ['🦊 — !', []],
    ['', []]
  ]
  for (const [text, expected] of table) t.strictSame(wordsOf(text, 50), expected, text)
})

t.test('both the number of words and the length of a word are limited', async t => {
  t.strictSame(wordsOf('a b c', 2), ['a', 'b'])
  t.strictSame(wordsOf('a b c', 0), [])
  t.equal(wordsOf('x'.repeat(500), 50)[0]!.length, 64)
  t.strictSame(wordsOf('𝒳'.repeat(100), 50), ['x'.repeat(64)], 'the length counts after normalization')
  t.notMatch(wordsOf('𐐨'.repeat(63) + 'a' + '𐐨'.repeat(63), 50)[0]!, /\p{Cs}/u, 'not cut within a surrogate pair')
})

t.test('any text gives well-formed words, which split into themselves again', async t => {
  const text = fc.string({ unit: 'binary' })
  fc.assert(fc.property(fc.oneof(
    text, fc.string({ unit: fc.constantFrom('a', 'Σ', 'ß', 'İ', '日', ' ', '\u0000', '\ud800', '\udc00') })
  ), any => {
    const words = wordsOf(any, 20)
    return words.every(word => word.length > 0 && !/[\p{Cc}\p{Cs}\s]/u.test(word)) &&
      JSON.stringify(words) === JSON.stringify(words.flatMap(word => wordsOf(word, 100)))
  }))
  t.ok(wordsOf('ΟΔΟΣΑ', 1)[0]!.startsWith(wordsOf('ΟΔΟΣ', 1)[0]!), 'a prefix of a word stays a prefix')
})

t.test('a hostile text is split within two seconds', async t => {
  await inTime(t, 'split', 2_000, () => {
    for (const text of ['a'.repeat(1e6), '日'.repeat(1e6), '\u0301'.repeat(1e6), 'ﷺ'.repeat(1e6), ' '.repeat(1e6), '\ud800'.repeat(1e6)])
      wordsOf(text, 300)
  })
})
