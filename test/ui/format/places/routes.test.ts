import t from 'tap'
import { currentMark, isOpenTo, mainRoutes, movedTo, routeOf, ROUTES } from '../../../../ui/src/format/places/routes.ts'

t.test('a page is found with and without trailing slashes, and unknown paths give null', async t => {
  t.equal(routeOf('/')?.title, 'Dashboard')
  t.equal(routeOf('')?.title, 'Dashboard')
  for (const { path, title } of ROUTES.filter(route => route.path !== '/')) {
    t.equal(routeOf(path)?.title, title)
    t.equal(routeOf(`${path}/`)?.title, title)
    t.equal(routeOf(`${path}//`)?.title, title)
  }
  for (const path of ['/no/such/page', '/Tasks', '//tasks', '/schedules/agenda/x']) t.equal(routeOf(path), null, path)
})

t.test('paths, titles and keys are unique', async t => {
  for (const field of ['path', 'title', 'key'] as const) {
    const values = ROUTES.map(route => route[field]).filter(value => value !== null)
    t.strictSame(values, [...new Set(values)], field)
  }
})

t.test('the header lists the pages that the reader may open, or all of them while that is unknown', async t => {
  const titles = (actions: readonly string[] | undefined) => mainRoutes(actions).map(route => route.title)
  t.strictSame(titles(undefined), ['Dashboard', 'Failures', 'Executions', 'Tasks', 'Schedules', 'Workers', 'Audit'])
  t.strictSame(titles(['schedules:view']), ['Dashboard', 'Schedules'])
  t.strictSame(titles([]), ['Dashboard'])
  t.equal(isOpenTo(routeOf('/schedules/agenda')!, ['tasks:view']), false, 'also for pages outside the header')
})

t.test('a subpage marks its parent in the header', async t => {
  const schedules = routeOf('/schedules')!
  t.equal(currentMark(schedules, routeOf('/schedules')), 'page')
  t.equal(currentMark(schedules, routeOf('/schedules/agenda')), 'true')
  t.equal(currentMark(routeOf('/')!, routeOf('/schedules')), undefined)
  t.equal(currentMark(schedules, null), undefined)
})

t.test('the old address of the history is mapped to the new page with its query', async t => {
  t.equal(movedTo('/tasks', '?status=failed&execution=a%2Fb'), '/executions?status=failed&execution=a%2Fb')
  t.equal(movedTo('/tasks', '?tasks=all&search=took%3A%3E5s'), '/executions?search=took%3A%3E5s')
  for (const search of ['', '?name=email%3Asend', '?sort=backlog&find=billing', '?tasks=all'])
    t.equal(movedTo('/tasks', search), null, search)
  t.equal(movedTo('/failures', '?task=x'), null)
})
