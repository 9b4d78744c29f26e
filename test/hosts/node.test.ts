import connect from 'connect'
import express4 from 'express4'
import express from 'express'
import { createServer, type RequestListener } from 'node:http'
import t from 'tap'
import { createBlueprint } from '../../lib/index.ts'
import { hostContract } from '../contracts/host.ts'
import { listen } from '../support/listen.ts'

hostContract(t, 'node:http', {
  knowsSocket: true,
  start(t, mounts) {
    const dashboards = mounts.map(({ queueApp, prefix, options }) => createBlueprint(queueApp, { ...options, prefix }))
    return listen(t, createServer((request, response) => {
      const ask = ([first, ...rest]: typeof dashboards): unknown => first!(request, response, rest.length > 0 ? () => { ask(rest) } : undefined)
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
  // Its Router does not tell the path of a mount, as the application does.
  ignoresCase: true,
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
