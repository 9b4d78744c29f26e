import t from 'tap'
import { currentMark, isOpenTo, mainRoutes, routeOf, ROUTES } from '../../../ui/src/format/routes.ts'

t.test('a page is found with and without slashes at its end, and nothing else is', async t => {
  t.equal(routeOf('/')?.title, 'Dashboard')
  t.equal(routeOf('')?.title, 'Dashboard')
  for (const { path, title } of ROUTES.filter(route => route.path !== '/')) {
    t.equal(routeOf(path)?.title, title)
    t.equal(routeOf(`${path}/`)?.title, title)
    t.equal(routeOf(`${path}//`)?.title, title)
  }
  for (const path of ['/no/such/page', '/Tasks', '//tasks', '/schedules/agenda/x']) t.equal(routeOf(path), null, path)
})

t.test('paths, titles and keys are each given once', async t => {
  for (const field of ['path', 'title', 'key'] as const) {
    const values = ROUTES.map(route => route[field]).filter(value => value !== null)
    t.strictSame(values, [...new Set(values)], field)
  }
})

t.test('the header has the pages that a reader may open, and all of them while that is not known', async t => {
  const titles = (actions: readonly string[] | undefined) => mainRoutes(actions).map(route => route.title)
  t.strictSame(titles(undefined), ROUTES.filter(route => route.key !== null).map(route => route.title))
  t.strictSame(titles(['schedules:view']), ['Dashboard', 'Schedules'])
  t.strictSame(titles([]), ['Dashboard'])
  t.equal(isOpenTo(routeOf('/schedules/agenda')!, ['tasks:view']), false, 'pages outside the header are held to it as well')
})

t.test('a page below another one marks that in the header', async t => {
  const schedules = routeOf('/schedules')!
  t.equal(currentMark(schedules, routeOf('/schedules')), 'page')
  t.equal(currentMark(schedules, routeOf('/schedules/agenda')), 'true')
  t.equal(currentMark(routeOf('/')!, routeOf('/schedules')), undefined)
  t.equal(currentMark(schedules, null), undefined)
})
