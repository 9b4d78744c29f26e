import t from 'tap'
import { fixedDelay } from '../../../lib/time/backoff.ts'
import { createBullmqEngine } from '../../../lib/engine/bullmq-engine.ts'
import type { FinishedExecution } from '../../../lib/execution.ts'
import { createStore } from '../../../lib/stores/create-store.ts'
import type { SqlStore } from '../../../lib/stores/store.ts'
import { postgresUrl, testNamespace } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

for (const [how, error] of [
  ['breaks off', new Error('Connection terminated unexpectedly')],
  ['shuts down', Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' })]
] as const) {
  t.test(`a successful run stays a success when the database ${how} while its result is written`, async t => {
    const store = createStore(await postgresUrl(t), { namespace: testNamespace(), role: 'broker', onError() {} }) as SqlStore
    await store.start()
    const refused: string[] = []
    const pool = new Proxy(store.pool, {
      get(target, name) {
        if (name !== 'query') return Reflect.get(target, name, target) as unknown
        return (query: string | { text: string }, ...parameters: readonly unknown[]) => {
          const text = typeof query === 'string' ? query : query.text
          if (refused.length > 0 || !text.includes('move_to_completed')) return target.query(query as string, ...parameters as [])
          refused.push(text)
          return Promise.reject(error)
        }
      }
    })
    const engine = createBullmqEngine(Object.defineProperty(Object.create(store) as SqlStore, 'pool', { value: pool }))
    t.teardown(async () => {
      await engine.stop({ graceMs: 100 })
      await store.stop()
    })
    await engine.start()
    const finished: FinishedExecution[] = []
    let runs = 0
    engine.work({
      taskName: 'once', concurrency: 1, workerId: 'w', maxLosses: 1, timeoutMs: null,
      processor: { type: 'io', async run() { return ++runs } },
      onFinished: execution => finished.push(execution),
      onAttemptFailed: (_execution, attempt) => t.fail(`an attempt failed: ${attempt.error?.message}`),
      onError() {}
    })
    await engine.enqueue([
      {
        executionId: 'one', taskName: 'once', args: [], maxAttempts: 1, backoff: fixedDelay(0), delayMs: 0, priority: 0, scheduleId: null,
        retryOf: null
      }
    ])
    await waitFor('it to finish', async () => finished.length === 1)
    t.equal(refused.length, 1)
    t.match(finished[0], { status: 'success', result: 1, attempt: 1 })
    t.equal(runs, 1)
  })
}
