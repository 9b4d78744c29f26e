import { createServer } from 'node:http'
import { bodyParser } from '@koa/bodyparser'
import Koa from 'koa'
import koaMount from 'koa-mount'
import t from 'tap'
import { createBlueprint } from '../../lib/hosts/koa.ts'
import { hostContract } from '../contracts/host.ts'
import { listen } from '../support/network/listen.ts'

hostContract(t, 'Koa', {
  knowsSocket: true,
  start(t, mounts) {
    const app = new Koa()
    for (const { prefix, queueApp, options } of mounts) app.use(createBlueprint(queueApp, { ...options, prefix }))
    return listen(t, createServer(app.callback()))
  },
  startParsing(t, mounts) {
    const app = new Koa()
    app.use(bodyParser({ jsonLimit: '5mb' }))
    for (const { prefix, queueApp, options } of mounts) app.use(createBlueprint(queueApp, { ...options, prefix }))
    return listen(t, createServer(app.callback()))
  }
})

hostContract(t, 'koa-mount', {
  knowsSocket: true,
  start(t, mounts) {
    const app = new Koa()
    for (const { prefix, queueApp, options } of mounts) app.use(koaMount(prefix, createBlueprint(queueApp, options)))
    return listen(t, createServer(app.callback()))
  }
})
