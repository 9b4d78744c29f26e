import { isTaskDashboardError, type QueueApp } from '../../lib/index.ts'
import type { DemoTasks } from './tasks.ts'

const CUSTOMERS = ['ana', 'bilal', 'chloé', 'dmitri', 'emeka', 'fatima', 'grete', 'haruto'].map(name => `${name}@example.com`)
const PARTNERS = ['https://hooks.logistics.example/orders', 'https://api.payments.example/v2/events', 'https://crm.example/inbound']
const COUNTRIES = ['de', 'fr', 'jp', 'br']

/** Enqueues some orders, then a steady trickle. Returns a function that stops it. */
export function startLoad(queueApp: QueueApp, tasks: DemoTasks): () => void {
  report(placeFirstOrders())
  const timers = [
    setInterval(() => report(placeOrder(orderNumber())), 30_000),
    setInterval(() => report(queueApp.enqueue(tasks.exportCatalogue, [pick(COUNTRIES)])), 30_000),
    setInterval(() => report(queueApp.enqueue(tasks.dailyReport, [new Date().toISOString().slice(0, 10)])), 45_000)
  ]
  return () => timers.forEach(timer => clearInterval(timer))

  async function placeFirstOrders(): Promise<void> {
    const orders = Array.from({ length: 4 }, orderNumber)
    await queueApp.enqueueMany(tasks.exportCatalogue, COUNTRIES.map(country => [country]))
    await queueApp.enqueueMany(tasks.deliverWebhook, orders.map(() => [PARTNERS[2]!, { event: 'order.created' }]))
    await queueApp.enqueue(tasks.sendEmail, ['emil@exmaple.com', 'Welcome'])
    for (const order of orders) await placeOrder(order)
    await queueApp.enqueue(tasks.dailyReport, [new Date().toISOString().slice(0, 10)])
    await queueApp.enqueue(tasks.writeDailyLog, ['大阪'])
    // These wait, so that the status filter has something to show.
    await queueApp.enqueueMany(
      tasks.sendEmail, orders.slice(0, 4).map(() => [pick(CUSTOMERS), 'How was your order?']), { delayMs: 15 * 60_000 }
    )
  }

  async function placeOrder(order: number): Promise<void> {
    await queueApp.enqueue(tasks.sendEmail, [pick(CUSTOMERS), `Thank you for order ${order}`], { priority: 1 })
    await queueApp.enqueue(tasks.generateInvoice, [order])
    await queueApp.enqueue(tasks.deliverWebhook, [pick(PARTNERS), { event: 'order.created' }])
    if (Math.random() < 0.4) await queueApp.enqueue(tasks.resizeImage, [`products/${order}.jpg`, [320, 640, 1280]])
  }
}

function orderNumber(): number {
  return 10_000 + Math.floor(Math.random() * 90_000)
}

function report(work: Promise<unknown>): void {
  work.catch((error: unknown) => {
    // Stopped with Ctrl-C between two orders.
    if (isTaskDashboardError(error) && error.code === 'ALREADY_STOPPED') return
    console.warn(`Not enqueued: ${error instanceof Error ? error.message : String(error)}`)
  })
}

function pick(items: readonly string[]): string {
  return items[Math.floor(Math.random() * items.length)]!
}
