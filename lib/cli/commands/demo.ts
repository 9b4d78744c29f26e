import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { QueueApp } from '../../index.ts'
import { describeErrors } from '../../queue-app/describe-errors.ts'
import { checkPort } from './check-port.ts'
import { cutLateRequests } from './cut-late-requests.ts'
import { messageOf, untilSignal, type Output } from './serve.ts'

const HOST = '127.0.0.1'
const ENQUEUED_EVERY_MS = 2_000
const CUSTOMERS = ['ana@example.com', 'bilal@example.com', 'emil@exmaple.com', 'grete@example.com']

/**
 * Serves a dashboard of a queue app with a few tasks, in memory, until SIGINT or SIGTERM.
 * @returns the exit code
 */
export async function serveDemo(port: number, { say, warn }: Output): Promise<number> {
  const { default: fastify } = await import('fastify')
  const { dashboardPlugin, QueueApp } = await import('../../index.ts')
  let queueApp: QueueApp | undefined
  let server: FastifyInstance | undefined
  let timer: NodeJS.Timeout | undefined
  const { isStopping, isStopped } = untilSignal()
  try {
    await checkPort(HOST, port)
    say('Starting the embedded store …')
    queueApp = QueueApp.fromUrls({ broker: 'embedded:', namespace: 'demo', stopGraceMs: 2_000, onError: describeErrors(warn) })
    const enqueue = addTasks(queueApp)
    await Promise.race([queueApp.start(), isStopping])
    if (isStopped()) return 0
    server = fastify({ logger: false })
    cutLateRequests(server)
    await server.register(dashboardPlugin, { queueApp, access: 'local', title: 'Demo shop', environment: 'demo' })
    const address = await server.listen({ host: HOST, port })
    const enqueueSome = (): void => {
      enqueue().catch((error: unknown) => { if (!isStopped()) warn(messageOf(error, { host: HOST, port })) })
    }
    enqueueSome()
    timer = setInterval(enqueueSome, ENQUEUED_EVERY_MS)
    say('Everything is in memory and ends with this process.')
    say(`Dashboard: ${address}   (Ctrl+C ends it)`)
    await isStopping
    return 0
  } catch (error) {
    warn(messageOf(error, { host: HOST, port }))
    return 1
  } finally {
    clearInterval(timer)
    await server?.close().catch(() => {})
    await queueApp?.stop()
  }
}

/** @returns a function that enqueues a few executions */
function addTasks(queueApp: QueueApp): () => Promise<void> {
  let order = 10_000
  const sendEmail = queueApp.task('email:send', async (to: string, subject: string) => {
    await sleep(80 + Math.random() * 400)
    if (to.endsWith('@exmaple.com')) throw new Error(`550 5.1.1 <${to}>: Recipient address rejected: User unknown`)
    return { to, subject }
  }, { retries: 2, retryDelayMs: 5_000 })
  const generateInvoice = queueApp.task('invoices:generate', async (invoice: number) => {
    await sleep(200 + Math.random() * 900)
    if (invoice % 9 === 0) throw new TypeError(`Cannot read properties of undefined (reading 'vatRate') in order ${invoice}`)
    return { file: `invoices/${invoice}.pdf`, pages: 1 + invoice % 3 }
  })
  const exportCatalogue = queueApp.task('catalogue:export', async (country: string) => {
    await sleep(4_000)
    return { country, products: 41_207 }
  })
  return async () => {
    order++
    await queueApp.enqueue(sendEmail, [CUSTOMERS[order % CUSTOMERS.length]!, `Thank you for order ${order}`])
    await queueApp.enqueue(generateInvoice, [order])
    if (order % 5 === 0) await queueApp.enqueue(exportCatalogue, ['de'])
  }
}
