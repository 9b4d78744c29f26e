import { setTimeout } from 'node:timers/promises'
import { QueueApp, currentExecution } from '../lib/index.ts'

/**
 * The queue app that every example shows: one task and one schedule, stored at BROKER_URL or else in memory. Yours might use `{ broker:
 * 'redis://…' }`.
 */
export async function startQueueApp(): Promise<QueueApp> {
  const broker = process.env['BROKER_URL'] ?? 'embedded:'
  const queueApp = QueueApp.fromUrls({ broker, stopGraceMs: 1_000 })
  const greet = queueApp.task('greet', async (name: string, afterMs?: number) => {
    // With the signal, it ends at once when the process stops, and runs again elsewhere.
    await setTimeout(afterMs, undefined, { signal: currentExecution().signal })
    return `Hello ${name}`
  })
  await queueApp.createScheduler().scheduleCron('greet', '0 9 * * 1', 'Monday greetings', { args: ['team'] })
  await queueApp.start()
  await queueApp.enqueue(greet, ['Ana'])
  return queueApp
}

/**
 * Prints the address, and closes everything on Ctrl-C or SIGTERM: first the server, then the queue app, which the dashboard does not stop.
 */
export function untilStopped(port: number, close: () => Promise<unknown>): void {
  console.log(`Dashboard  http://127.0.0.1:${port}/tasks`)
  const stop = (): void => {
    close().then(() => process.exit(0), (error: unknown) => {
      console.error(error)
      process.exit(1)
    })
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
}

/** The port: PORT, or 3000. 0 picks a free one. */
export const PORT = Number(process.env['PORT'] ?? 3000)
