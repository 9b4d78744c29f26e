import t from 'tap'
import { renamedPlace } from '../../../../ui/src/format/places/kept-places.ts'
import { viewCommands } from '../../../../ui/src/format/places/view-commands.ts'

const verbs = { save: 'save', rename: 'rename', forget: 'forget' }
const views = [{ name: 'Slow charges', href: '/executions?took=5000' }, { name: 'Broken mail', href: '/failures?task=email' }]
const elsewhere = { here: '/tasks', views }
const here = { here: '/failures?task=email', views }

t.test('typed commands save, rename and forget a view', async t => {
  t.same(viewCommands('save Late ones', elsewhere, verbs), [{ does: 'save', name: 'Late ones' }])
  t.same(viewCommands('Rename  Mail that fails ', here, verbs), [{ does: 'rename', name: 'Broken mail', to: 'Mail that fails' }])
  t.same(viewCommands('rename x', elsewhere, verbs), [], 'only the page of a saved view has a name')
  t.same(viewCommands('rename Broken mail', here, verbs), [], 'it has this name')
  t.same(viewCommands('forget cha', elsewhere, verbs), [{ does: 'forget', name: 'Slow charges' }], 'from any page')
  t.same(viewCommands('forg', here, verbs), [{ does: 'forget', name: 'Broken mail' }])
  for (const typed of ['save', 'rename', 'Slow charges', 'forget nothing']) t.same(viewCommands(typed, here, verbs), [], typed)
})

t.test('a renamed view keeps its place, and no two views have the same name', async t => {
  t.same(renamedPlace(views, 'Slow charges', ' Slow '), [{ name: 'Slow', href: '/executions?took=5000' }, views[1]])
  t.same(renamedPlace(views, 'Broken mail', 'Slow charges'), [{ name: 'Slow charges', href: '/failures?task=email' }])
  for (const to of ['', '  ', 'Broken mail']) t.equal(renamedPlace(views, 'Broken mail', to), views, to)
})
