import { setTimeout as sleep } from 'node:timers/promises'
import { currentExecution, type QueueApp } from '../../lib/index.ts'
import { failures } from './failures.ts'

export type DemoTasks = ReturnType<typeof registerTasks>

/** The tasks of a small shop: most succeed, some are slow, and partners' servers are as unreliable as real ones. */
export function registerTasks(queueApp: QueueApp) {
  return {
    sendEmail: queueApp.task('email:send', sendEmail, {
      retries: 3, retryDelayMs: 5_000, timeoutMs: 10_000, description: 'Sends one e-mail through the relay'
    }),
    generateInvoice: queueApp.task('invoices:generate', generateInvoice, { concurrency: 3, description: 'Renders an invoice as PDF' }),
    deliverWebhook: queueApp.task('webhooks:deliver', deliverWebhook, {
      retries: 2, retryDelayMs: 3_000, timeoutMs: 5_000, description: 'Posts an event to a partner'
    }),
    resizeImage: queueApp.task('images:resize', resizeImage, { concurrency: 4, description: 'Makes the thumbnails of a product picture' }),
    syncInventory: queueApp.task('sync inventory', syncInventory, {
      retries: 1, retryDelayMs: 10_000, description: 'Takes over the stock of a warehouse'
    }),
    exportCatalogue: queueApp.task('catalogue:export', exportCatalogue, {
      concurrency: 2, description: 'Writes the whole catalogue for price comparison sites'
    }),
    writeDailyLog: queueApp.task('日報', writeDailyLog, { description: 'Writes the day down for the office in Tokyo' }),
    dailyReport: queueApp.task<[day: string], { orders: number; median: number }>('reports/daily', new URL(
      './daily-report.ts', import.meta.url
    ), {
      type: 'cpu', description: 'Sums up a day of orders, in a process of its own'
    })
  }
}

async function sendEmail(to: string, subject: string): Promise<{ messageId: string }> {
  const { log, executionId, signal } = currentExecution()
  await log(`RCPT TO:<${to}>`)
  await pause(80, 400, signal)
  // A customer's typo: no retry helps.
  if (to.endsWith('@exmaple.com')) throw failures.noMailbox(to)
  if (isOneOf(20)) throw failures.greylisted(to)
  await log(`250 2.0.0 Ok: queued (${subject.length} characters of subject)`)
  return { messageId: `<${executionId}@shop.example>` }
}

async function generateInvoice(orderId: number): Promise<{ file: string; pages: number }> {
  const { progress, signal } = currentExecution()
  for (const done of [25, 50, 75, 100]) {
    await pause(60, 250, signal)
    await progress(done)
  }
  if (isOneOf(80)) throw failures.noVatRate(orderId)
  return { file: `invoices/2026/${orderId}.pdf`, pages: 1 + orderId % 3 }
}

async function deliverWebhook(url: string, event: { event: string }): Promise<{ status: number }> {
  const { attempt, log, signal } = currentExecution()
  await log(`POST ${url} ${event.event} (attempt ${attempt})`)
  await pause(50, 900, signal)
  const { hostname } = new URL(url)
  // One partner is having a bad day.
  if (hostname.startsWith('crm.') && isOneOf(2)) throw failures.refused(hostname)
  if (isOneOf(12)) throw failures.unavailable(hostname)
  return { status: 204 }
}

async function resizeImage(path: string, widths: number[]): Promise<string[]> {
  const { progress, signal } = currentExecution()
  const files: string[] = []
  for (const width of widths) {
    await pause(40, 180, signal)
    files.push(path.replace('.jpg', `-${width}.webp`))
    await progress({ done: files.length, of: widths.length })
  }
  if (isOneOf(30)) throw failures.colours(path)
  return files
}

async function syncInventory(warehouse: string): Promise<{ changed: number }> {
  const { log, progress, signal } = currentExecution()
  // This warehouse has a slow line, so a schedule that is too frequent skips runs.
  const slowness = warehouse === 'warehouse-2' ? 4 : 1
  for (let shelf = 1; shelf <= 8; shelf++) {
    await pause(200 * slowness, 500 * slowness, signal)
    await log(`${warehouse}: shelf ${shelf} of 8`)
    await progress(shelf / 8)
  }
  return { changed: Math.floor(Math.random() * 40) }
}

async function exportCatalogue(country: string): Promise<{ products: number }> {
  const { log, progress, signal } = currentExecution()
  for (let part = 1; part <= 20; part++) {
    await pause(150, 450, signal)
    await progress({ part, of: 20 })
  }
  await log(`catalogue-${country}.xml: 20 parts`)
  if (isOneOf(8)) throw failures.bucketFull()
  return { products: 41_207 }
}

async function writeDailyLog(city: string): Promise<string> {
  await pause(100, 500, currentExecution().signal)
  return `${city}:本日も異常なし`
}

async function pause(fromMs: number, toMs: number, signal: AbortSignal): Promise<void> {
  await sleep(fromMs + Math.random() * (toMs - fromMs), undefined, { signal })
}

function isOneOf(count: number): boolean {
  return Math.random() * count < 1
}
