import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { QueueApp, dashboardPlugin } from '../../lib/index.ts'
import { startLoad } from './load.ts'
import { makeUpThePast } from './past.ts'
import { declareSchedules } from './schedules.ts'
import { registerTasks } from './tasks.ts'

const PORT = Number(process.env['PORT'] ?? 3000)
const NAMESPACE = 'demo'

// Needs no installation and leaves nothing behind.
const folder = await mkdtemp(join(tmpdir(), 'task-dashboard-demo-'))
const broker = `embedded:${folder}`
console.log('Starting the embedded store …')
const madeUp = await makeUpThePast(broker, NAMESPACE)

const queueApp = QueueApp.fromUrls({ broker, namespace: NAMESPACE, stopGraceMs: 2_000 })
const tasks = registerTasks(queueApp)
const editSchedules = await declareSchedules(queueApp)
await queueApp.start()

const fastify = Fastify()
// A client that never sends the rest of its request would keep the server open.
fastify.addHook('preClose', async () => { setTimeout(() => fastify.server.closeAllConnections(), 5_000).unref() })
await fastify.register(dashboardPlugin, { prefix: '/tasks', queueApp, access: 'local', title: 'Demo shop', environment: 'demo' })
fastify.get('/', (_request, reply) => reply.redirect('/tasks'))
const address = await fastify.listen({ port: await isFree(PORT) ? PORT : 0, host: '127.0.0.1' })
await editSchedules()
const stopLoad = startLoad(queueApp, tasks)
process.once('SIGINT', stop)
process.once('SIGTERM', stop)
console.log(`
  Dashboard  ${address}/tasks
  API        ${address}/tasks/api/stats

${madeUp} executions of the last seven days are made up, and their logs say so. From now on everything really runs. Ctrl-C stops it.`)

function stop(): void {
  console.log('\nStopping …')
  stopLoad()
  Promise.all([
    fastify.close(), queueApp.stop()
  ]).then(() => rm(folder, { recursive: true, force: true })).then(() => process.exit(0), error => {
    console.error(error)
    process.exit(1)
  })
}

function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
