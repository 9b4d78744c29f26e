import { createServer } from 'node:net'
import Fastify from 'fastify'
import { QueueApp, dashboardPlugin } from '../../lib/index.ts'
import { startLoad } from './load.ts'
import { registerTasks } from './tasks.ts'

const PORT = 3000

// Kept in memory: nothing to install, nothing left behind.
const queueApp = QueueApp.fromUrls({ broker: 'embedded:' })
const tasks = registerTasks(queueApp)
await declareSchedules()

console.log('Starting the embedded store …')
await queueApp.start()

const fastify = Fastify()
await fastify.register(dashboardPlugin, { prefix: '/tasks', queueApp, title: 'Demo shop', environment: 'demo' })
fastify.get('/', (_request, reply) => reply.redirect('/tasks'))
const address = await fastify.listen({ port: await isFree(PORT) ? PORT : 0, host: '127.0.0.1' })
console.log(`\n  Dashboard  ${address}/tasks\n  API        ${address}/tasks/api/stats\n\nCtrl-C stops it.`)

const stopLoad = startLoad(queueApp, tasks)
process.once('SIGINT', stop)
process.once('SIGTERM', stop)

async function declareSchedules(): Promise<void> {
  const scheduler = queueApp.createScheduler()
  await scheduler.scheduleCron('reports/daily', '0 6 * * *', 'Yesterday in figures, before the first meeting', { timezone: 'Europe/Berlin', args: ['yesterday'] })
  await scheduler.scheduleCron('日報', '0 18 * * 1-5', 'Daily log of the office in Tokyo', { timezone: 'Asia/Tokyo', args: ['東京'] })
  await scheduler.scheduleCron('sync inventory', '* * * * *', 'Every minute, unless the last one still runs', { overlap: 'skip', args: ['warehouse-1'] })
  await scheduler.scheduleInterval('email:send', 15_000, 'Reminders that are due', { args: ['reminders@shop.example', 'Your cart misses you'] })
  await scheduler.scheduleCron('invoices:generate', '30 2 1 * *', 'Invoices of the month', { priority: 10, args: [4711] })
  await scheduler.scheduleInterval('webhooks:deliver', 3_600_000, 'Retry what partners missed', {
    enabled: false, args: ['https://partner.example/hooks', { event: 'catalogue.updated' }]
  })
}

function stop(): void {
  console.log('\nStopping …')
  stopLoad()
  Promise.all([fastify.close(), queueApp.stop()]).then(() => process.exit(0), error => {
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
