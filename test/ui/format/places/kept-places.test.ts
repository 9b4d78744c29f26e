import t from 'tap'
import { MAX_VIEWS, readPlaces, withoutPlace, withPlace } from '../../../../ui/src/format/places/kept-places.ts'

t.test('places are kept by name, the newest first, up to a limit', async t => {
  const one = withPlace([], { name: ' Slow charges ', href: '/executions?task=charge&took=5000' }, MAX_VIEWS)
  t.same(one, [{ name: 'Slow charges', href: '/executions?task=charge&took=5000' }])
  const two = withPlace(one, { name: 'Failures', href: '/failures' }, MAX_VIEWS)
  t.same(withPlace(two, { name: 'Slow charges', href: '/tasks' }, MAX_VIEWS).map(place => place.href), ['/tasks', '/failures'])
  t.same(withoutPlace(two, 'Failures'), one)
  let many = one
  for (let index = 0; index < 100; index++) many = withPlace(many, { name: `view ${index}`, href: '/' }, MAX_VIEWS)
  t.equal(many.length, MAX_VIEWS)
  t.equal(many[0]?.name, 'view 99')
  t.same(readPlaces(JSON.stringify(many)), many)
})

t.test('addresses elsewhere and invalid lists are not kept', async t => {
  for (const text of [null, '', '{', '{}', 'null', '[1, null, {}]', '[{"name":"x","href":"https://evil.example"}]']) t.same(readPlaces(text), [])
  for (const href of ['//evil.example', '/\\evil.example', 'javascript:alert(1)', '', `/${'x'.repeat(3_000)}`])
    t.same(withPlace([], { name: 'x', href }, MAX_VIEWS), [], href.slice(0, 20))
  t.same(withPlace([], { name: '  ', href: '/' }, MAX_VIEWS), [])
})
