import fastify from 'fastify'
import { dashboardPlugin, QueueApp } from '../../../lib/index.ts'

/** The API of a process that will be killed. It sends its port to its parent. */
const [url] = process.argv.slice(2) as [string]

const queueApp = QueueApp.fromUrls({ broker: url, onError() {} })
queueApp.task('report', async () => 'done')
await queueApp.start()
const server = fastify()
await server.register(dashboardPlugin, { prefix: '/tasks', queueApp, access: 'host' })
const address = await server.listen({ port: 0, host: '127.0.0.1' })
process.send!(Number(new URL(address).port))
