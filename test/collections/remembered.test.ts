import t from 'tap'
import { remembered } from '../../lib/collections/remembered.ts'

t.test('a value is computed once, until there are more values than the limit', t => {
  const computed: string[] = []
  const double = remembered(text => { computed.push(text); return text + text }, 2)
  t.same(['a', 'b', 'a', 'b'].map(double), ['aa', 'bb', 'aa', 'bb'])
  t.same(computed, ['a', 'b'])
  t.same(['c', 'c', 'a'].map(double), ['cc', 'cc', 'aa'], 'correct after everything was forgotten')
  t.same(computed, ['a', 'b', 'c', 'a'])
  t.end()
})
