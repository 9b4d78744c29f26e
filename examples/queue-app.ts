import { QueueApp } from '../lib/index.ts'

/** The queue app that every example shows: one task, one schedule, kept in memory. Yours says `{ broker: 'redis://…' }`. */
export async function startQueueApp(): Promise<QueueApp> {
  const queueApp = QueueApp.fromUrls()
  const greet = queueApp.task('greet', async (name: string) => `Hello ${name}`)
  await queueApp.createScheduler().scheduleCron('greet', '0 9 * * 1', 'Monday greetings', { args: ['team'] })
  await queueApp.start()
  await queueApp.enqueue(greet, ['Ana'])
  return queueApp
}

/** Says where it is, and closes all of it on Ctrl-C or SIGTERM: first the server, then the queue app, which the dashboard leaves alone. */
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

/** Where it listens: PORT, else 3000. 0 is a free one. */
export const PORT = Number(process.env['PORT'] ?? 3000)
