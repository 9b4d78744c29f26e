import t from 'tap'
import { isMeant } from '../../../../ui/src/format/places/typed-name.ts'

t.test('a name is found by any part of it, or by the first letters of its words, in any order', async t => {
  for (const typed of ['', 'pay', 'ments:ch', 'pay ch', 'ch pay', 'PAY:CH', 'charge payments', '  pay   ch '])
    t.ok(isMeant('payments:charge', typed), typed)
  t.ok(isMeant('sendWelcomeEmail', 'wel em'), 'capitals begin words')
  t.ok(isMeant('Überweisung prüfen', 'prü über'))
  for (const typed of ['pay x', 'arge pay', ':', 'paych']) t.equal(isMeant('payments', typed), false, typed)
  t.equal(isMeant('reports/daily', '//'), false, 'punctuation alone is not a word')
})
