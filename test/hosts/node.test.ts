import connect from 'connect'
import express4 from 'express4'
import express from 'express'
import { createServer, type RequestListener } from 'node:http'
import t from 'tap'
import { createBlueprint } from '../../lib/index.ts'
import { hostContract } from '../contracts/host.ts'
import { sampleQueueApp } from '../dashboard/sample-queue-app.ts'
import { listen } from '../support/network/listen.ts'

hostContract(t, 'node:http', {
  knowsSocket: true,
  start(t, mounts) {
    const dashboards = mounts.map(({ queueApp, prefix, options }) => createBlueprint(queueApp, { ...options, prefix }))
    return listen(t, createServer((request, response) => {
      const ask = ([first, ...rest]: typeof dashboards): unknown =>
        first!(request, response, rest.length > 0 ? () => { ask(rest) } : undefined)
      ask(dashboards)
    }))
  }
})

hostContract(t, 'Connect', {
  knowsSocket: true,
  start(t, mounts) {
    const app = connect()
    for (const { prefix, queueApp, options } of mounts) app.use(prefix, createBlueprint(queueApp, options) as connect.NextHandleFunction)
    return listen(t, createServer(app))
  }
})

hostContract(t, 'Express 5', {
  knowsSocket: true,
  start(t, mounts) {
    const app = express()
    for (const { prefix, queueApp, options } of mounts) app.use(prefix, createBlueprint(queueApp, options))
    return listen(t, createServer(app))
  },
  startParsing(t, mounts) {
    const app = express()
    app.use(express.json({ limit: '5mb' }))
    for (const { prefix, queueApp, options } of mounts) app.use(createBlueprint(queueApp, { ...options, prefix }))
    return listen(t, createServer(app))
  }
})

hostContract(t, 'Express 4', {
  knowsSocket: true,
  start(t, mounts) {
    const app = express4()
    for (const { prefix, queueApp, options } of mounts) {
      const router = express4.Router()
      router.use(prefix.replace('/ops', ''), createBlueprint(queueApp, options))
      app.use(prefix.startsWith('/ops') ? '/ops' : '/', router)
    }
    return listen(t, createServer(app as RequestListener))
  },
  startParsing(t, mounts) {
    const app = express4()
    app.use(express4.json({ limit: '5mb' }), express4.urlencoded({ extended: true }), express4.text())
    for (const { prefix, queueApp, options } of mounts) app.use(prefix, createBlueprint(queueApp, options))
    return listen(t, createServer(app as RequestListener))
  }
})

t.test('Express answers only paths spelt exactly as mounted, in nested Routers and ' +
  'applications', async t => {
  for (const [name, make] of [['4', express4], ['5', express]] as ReadonlyArray<readonly [string, typeof express]>) {
    const dashboard = createBlueprint(sampleQueueApp(), { access: 'host' })
    const [app, sub, inner, outer, named, twice] = [make(), make(), make.Router(), make.Router(), make.Router(), make()]
    outer.use('/Deep', inner)
    inner.use(['/one', '/two'], dashboard)
    named.use('/:tenant/tasks', dashboard)
    sub.use('/Dash', outer)
    sub.use('/plain', dashboard)
    twice.use('/tasks', dashboard)
    app.use('/Ops', sub)
    app.use('/of', named)
    app.use('/x', twice)
    app.use('/y', twice)
    app.use('/root', make.Router().use(dashboard))
    const address = await listen(t, createServer(app as RequestListener))
    const status = async (path: string) => (await fetch(`${address}${path}/api/stats`)).status
    for (const path of [
      '/Ops/Dash/Deep/one', '/Ops/Dash/Deep/two', '/Ops/plain', '/of/ACME/tasks', '/of/acme/tasks', '/x/tasks', '/y/tasks', '/root'
    ])
      t.equal(await status(path), 200, `Express ${name}: ${path}`)
    for (const path of [
      '/ops/Dash/Deep/one', '/Ops/dash/Deep/one', '/Ops/Dash/deep/two', '/Ops/Dash/Deep/One', '/OPS/plain', '/Ops/PLAIN', '/of/acme/TASKS',
      '/OF/acme/tasks', '/x/TASKS', '/Y/tasks', '/ROOT'
    ]) {
      t.equal(await status(path), 404, `Express ${name}: ${path}`)
    }
    // Mounted after the first request.
    inner.use('/late', dashboard)
    t.equal(await status('/Ops/Dash/Deep/late'), 200)
    t.equal(await status('/Ops/Dash/Deep/LATE'), 404)
  }
})
