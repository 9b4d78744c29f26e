import type { Test } from 'tap'
import { QueueApp } from '../../../lib/index.ts'
import type { TestScope } from '../../support/servers/stores.ts'
import { startTcpProxy } from '../../support/network/tcp-proxy.ts'
import { waitFor } from '../../support/wait-for.ts'

const RECOVERED_WITHIN_MS = 30_000

/** Existing connections go silent without ending, and new ones work. Only a request that gets no response reveals it. */
export async function testHalfOpen(t: Test, openUrl: (t: TestScope) => Promise<string>): Promise<void> {
  const target = await openUrl(t)
  const proxy = await startTcpProxy(t, target)
  const queueApp = QueueApp.fromUrls({ broker: proxy.url, backend: proxy.url, stopGraceMs: 500, onError() {} })
  const ran: unknown[] = []
  const echo = queueApp.task('echo', async (value: unknown) => { ran.push(value) }, { concurrency: 2 })
  await queueApp.start()
  t.teardown(() => queueApp.stop())
  // Another process, connected directly.
  const producer = QueueApp.fromUrls({ broker: target, backend: target, onError() {} })
  await producer.start()
  t.teardown(() => producer.stop())

  await queueApp.enqueue(echo, ['before'])
  await waitFor('the worker to run', async () => ran.includes('before'))

  for (const round of ['once', 'again']) {
    proxy.silence()
    const begun = performance.now()
    await producer.enqueue('echo', [round])
    await Promise.all([
      waitFor('the worker to take executions', async () => ran.includes(round), RECOVERED_WITHIN_MS),
      waitFor('reads to succeed', async () => (await queueApp.monitoring.statistics()).registeredTasks === 1, RECOVERED_WITHIN_MS),
      waitFor('an execution to be accepted', () => queueApp.enqueue(echo, [`${round} by itself`]), RECOVERED_WITHIN_MS)
    ])
    t.comment(`${round}: ${Math.round(performance.now() - begun)} ms`)
    await waitFor('that execution to run too', async () => ran.includes(`${round} by itself`))
    await waitFor('health to report healthy workers', async () => (await queueApp.monitoring.health()).components.workers.healthy)
  }
  await waitFor('everything to be recorded', async () => (await producer.monitoring.statistics()).executions.success >= 5)
  t.equal(new Set(ran).size, 5)
}

/** New connections fail too: the process itself is fine, but its workers must stop counting. */
export async function testCutOff(t: Test, openUrl: (t: TestScope) => Promise<string>): Promise<void> {
  const target = await openUrl(t)
  const proxy = await startTcpProxy(t, target)
  const queueApp = QueueApp.fromUrls({ broker: proxy.url, backend: proxy.url, stopGraceMs: 500, onError() {} })
  queueApp.task('echo', async () => {})
  await queueApp.start()
  t.teardown(() => queueApp.stop())
  const onlooker = QueueApp.fromUrls({ broker: target, backend: target, onError() {} })
  await onlooker.start()
  t.teardown(() => onlooker.stop())
  const active = async (): Promise<number | null> => (await onlooker.monitoring.statistics()).activeWorkers
  await waitFor('the worker to be seen', async () => await active() === 1)
  proxy.refuse(true)
  proxy.silence()
  await waitFor('the worker not to count any more', async () => await active() === 0)
  proxy.refuse(false)
  await waitFor('the worker to count again', async () => await active() === 1)
}
