import { inspect } from 'node:util'
import Fastify from 'fastify'
import t from 'tap'
import type { DashboardOptions } from '../../../lib/dashboard/options.ts'
import { dashboardPlugin } from '../../../lib/dashboard/plugin.ts'
import { createScope } from '../../../lib/queue-app/scope/scope.ts'
import { sampleQueueApp } from '../sample-queue-app.ts'
import { AUTHORIZATION, build, call, CREDENTIALS, isAnswered, label, ROUTES } from './known-routes.ts'

/** A sample app whose list of tasks respects a scope. */
function scopedApp() {
  const queueApp = sampleQueueApp()
  return {
    ...queueApp,
    within(sees: (taskName: string) => boolean) {
      const tasks = async () => (await queueApp.monitoring.tasks()).filter(({ name }) => createScope(sees).sees(name))
      return { ...queueApp, monitoring: { ...queueApp.monitoring, tasks } }
    }
  }
}

async function serve(options: Partial<DashboardOptions>) {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(dashboardPlugin, { prefix: '/tasks', queueApp: scopedApp(), access: 'local', ...options })
  return app
}

t.test('if scope fails or returns nothing valid, every route responds with an error that does not reveal the reason', async t => {
  let scope: () => unknown = () => null
  const app = await serve({ scope: () => scope() as null })
  for (const said of [undefined, true, false, 0, '', 'email:send', {}, [], new Error('secret')]) {
    for (const answer of [() => said, async () => said]) {
      scope = answer
      for (const route of ROUTES) {
        const { statusCode, body } = await call(app, route)
        t.equal(statusCode, 500, `${inspect(said)}: ${label(route)}`)
        t.ok(body.includes('SCOPE_FAILED'))
      }
    }
  }
  for (const fail of [() => { throw new Error('secret') }, () => Promise.reject(new Error('secret'))]) {
    scope = fail
    for (const route of ROUTES) {
      const { statusCode, body } = await call(app, route)
      t.equal(statusCode, 500, label(route))
      t.notMatch(body, /secret/)
    }
  }
  scope = () => { throw Object.assign(new Error('secret'), { statusCode: 401 }) }
  t.equal((await call(app, ROUTES[5]!)).statusCode, 401, 'a status on the error is used')
  scope = () => null
  for (const route of ROUTES) t.ok(isAnswered(await call(app, route)), label(route))
})

t.test('a predicate that throws or returns anything but true hides the task', async t => {
  const hidden = [undefined, null, 1, 'true', {}, Promise.resolve(true), Promise.reject(new Error('no'))]
  for (const said of hidden) t.notOk(createScope(() => said).sees('a'), inspect(said))
  t.notOk(createScope(() => { throw new Error('no') }).sees('a'))
  t.ok(createScope(name => name === 'a').sees('a'))
  let asked = 0
  const scope = createScope(() => { asked++; return true })
  t.ok(scope.sees('a') && scope.sees('a'))
  t.equal(asked, 1, 'it is called once for each name')
})

t.test('scope is called once for each request, and only if access was granted', async t => {
  let asked = 0
  const scope = () => { asked++; return (name: string) => name === 'email:send' }
  const app = await serve({ auth: CREDENTIALS, scope })
  await app.inject('/tasks/api/tasks')
  t.equal(asked, 0)
  const { statusCode, body } = await app.inject({ url: '/tasks/api/tasks', headers: { authorization: AUTHORIZATION } })
  t.equal(statusCode, 200)
  t.strictSame((JSON.parse(body) as Array<{ name: string }>).map(({ name }) => name), ['email:send'])
  t.equal(asked, 1)
  const guarded = await serve({ access: 'host', scope })
  t.equal((await guarded.inject('/tasks/api/tasks')).json<unknown[]>().length, 1, 'it also applies where the host guards')
})

t.test('different scopes share no snapshot', async t => {
  const app = await serve({
    scope: ({ headers }) => headers['x-all'] === undefined ? name => name === 'email:send' : null
  })
  const [few, all, again] = await Promise.all([{}, { 'x-all': 'yes' }, {}].map(headers => app.inject({ url: '/tasks/api/tasks', headers })))
  t.equal(few!.json<unknown[]>().length, 1)
  t.ok(all!.json<unknown[]>().length > 1)
  t.equal(again!.headers['etag'], few!.headers['etag'])
  t.not(all!.headers['etag'], few!.headers['etag'])
  const headers = { 'x-all': 'yes', 'if-none-match': String(few!.headers['etag']) }
  const conditional = await app.inject({ url: '/tasks/api/tasks', headers })
  t.equal(conditional.statusCode, 200)
})

t.test('scope is refused if it is set without a function, or if the queue app does not support it', async t => {
  for (const scope of [undefined, null, '', 'all', {}])
    await t.rejects(serve({ scope: scope as never }), { code: 'INVALID_OPTIONS', message: /scope/ }, inspect(scope))
  await t.rejects(build(t, { access: 'local', scope: () => null }), { code: 'INVALID_OPTIONS', message: /within/ })
})
