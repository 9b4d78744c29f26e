import { isTaskDashboardError, type QueueApp } from '../../lib/index.ts'
import type { DemoTasks } from './tasks.ts'

const CUSTOMERS = ['ana', 'bilal', 'chloé', 'dmitri', 'emeka', 'fatima', 'grete', 'haruto']
const PARTNERS = ['https://hooks.logistics.example/orders', 'https://api.payments.example/v2/events', 'https://crm.example/inbound']

/** A morning of orders first, then a steady trickle. Returns what ends it. */
export function startLoad(queueApp: QueueApp, tasks: DemoTasks): () => void {
  report(placeMorningOrders())
  const timers = [
    setInterval(() => report(placeOrder(orderNumber())), 1_500),
    setInterval(() => report(queueApp.enqueue(tasks.dailyReport, [new Date().toISOString().slice(0, 10)])), 45_000)
  ]
  return () => timers.forEach(timer => clearInterval(timer))

  async function placeMorningOrders(): Promise<void> {
    const orders = Array.from({ length: 60 }, orderNumber)
    await queueApp.enqueueMany(tasks.sendEmail, orders.map(order => [customer(), `Thank you for order ${order}`]), { priority: 1 })
    await queueApp.enqueueMany(tasks.generateInvoice, orders.map(order => [order]))
    await queueApp.enqueueMany(tasks.deliverWebhook, orders.map(() => [pick(PARTNERS), { event: 'order.created' }]))
    await queueApp.enqueueMany(tasks.resizeImage, orders.slice(0, 25).map(order => [`products/${order}.jpg`, [320, 640, 1280]]))
    await queueApp.enqueue(tasks.dailyReport, ['2026-11-19'])
    await queueApp.enqueue(tasks.writeDailyLog, ['大阪'])
    // Some that wait: the status filter has something to show.
    await queueApp.enqueueMany(tasks.sendEmail, orders.slice(0, 4).map(() => [customer(), 'How was your order?']), { delayMs: 15 * 60_000 })
  }

  async function placeOrder(order: number): Promise<void> {
    await queueApp.enqueue(tasks.sendEmail, [customer(), `Thank you for order ${order}`], { priority: 1 })
    await queueApp.enqueue(tasks.generateInvoice, [order])
    await queueApp.enqueue(tasks.deliverWebhook, [pick(PARTNERS), { event: 'order.created' }])
    if (Math.random() < 0.4) await queueApp.enqueue(tasks.resizeImage, [`products/${order}.jpg`, [320, 640, 1280]])
  }
}

function orderNumber(): number {
  return 10_000 + Math.floor(Math.random() * 90_000)
}

function customer(): string {
  return `${pick(CUSTOMERS)}@example.com`
}

function report(work: Promise<unknown>): void {
  work.catch((error: unknown) => {
    // Ctrl-C came between two of them.
    if (isTaskDashboardError(error) && error.code === 'ALREADY_STOPPED') return
    console.warn(`Not enqueued: ${error instanceof Error ? error.message : String(error)}`)
  })
}

function pick(items: readonly string[]): string {
  return items[Math.floor(Math.random() * items.length)]!
}
