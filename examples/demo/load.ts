import type { QueueApp } from '../../lib/index.ts'
import type { DemoTasks } from './tasks.ts'

const CUSTOMERS = ['ana', 'bilal', 'chloé', 'dmitri', 'emeka', 'fatima', 'grete', 'haruto']
const PARTNERS = ['https://hooks.logistics.example/orders', 'https://api.payments.example/v2/events', 'https://crm.example/inbound']

/** A morning of orders at once, then a steady trickle. Returns what ends it. */
export function startLoad(queueApp: QueueApp, tasks: DemoTasks): () => void {
  for (let order = 0; order < 60; order++) report(placeOrder())
  report(queueApp.enqueue(tasks.dailyReport, ['2026-11-19']))
  report(queueApp.enqueue(tasks.writeDailyLog, ['大阪']))
  // Some that wait: the status filter has something to show.
  for (let minutes = 5; minutes <= 20; minutes += 5) {
    report(queueApp.enqueue(tasks.sendEmail, [`${pick(CUSTOMERS)}@example.com`, 'How was your order?'], { delayMs: minutes * 60_000 }))
  }
  const timers = [
    setInterval(() => report(placeOrder()), 1_500),
    setInterval(() => report(queueApp.enqueue(tasks.dailyReport, [new Date().toISOString().slice(0, 10)])), 45_000)
  ]
  return () => timers.forEach(timer => clearInterval(timer))

  async function placeOrder(): Promise<void> {
    const orderId = 10_000 + Math.floor(Math.random() * 90_000)
    await queueApp.enqueue(tasks.sendEmail, [`${pick(CUSTOMERS)}@example.com`, `Thank you for order ${orderId}`], { priority: 1 })
    await queueApp.enqueue(tasks.generateInvoice, [orderId])
    await queueApp.enqueue(tasks.deliverWebhook, [pick(PARTNERS), { event: 'order.created' }])
    if (Math.random() < 0.4) await queueApp.enqueue(tasks.resizeImage, [`products/${orderId}.jpg`, [320, 640, 1280]])
  }
}

function report(work: Promise<unknown>): void {
  work.catch((error: unknown) => console.warn(`Not enqueued: ${error instanceof Error ? error.message : String(error)}`))
}

function pick(items: readonly string[]): string {
  return items[Math.floor(Math.random() * items.length)]!
}
