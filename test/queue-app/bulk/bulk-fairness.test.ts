import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { v7 as uuid } from 'uuid'
import { createResultBackend } from '../../../lib/backend/create-result-backend.ts'
import { QueueApp } from '../../../lib/index.ts'
import { stepSizeOf } from '../../../lib/queue-app/bulk/bulk-steps.ts'
import { createStore } from '../../../lib/stores/create-store.ts'
import { makeExecution } from '../../backend/make-execution.ts'
import { embeddedUrl, postgresUrl, redisUrl } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'
import { ORDER } from './bulk-order.ts'
import { startRunner } from './start-runner.ts'

const FLOOD = 2_000
const FEW = 20

for (const [kind, urlOf] of Object.entries({ redis: redisUrl, postgres: postgresUrl, embedded: embeddedUrl })) {
  t.test(`a flood of one task does not delay the other tasks of an operation, on ${kind}`, async t => {
    const url = await urlOf(t)
    const store = createStore(url, { namespace: 'tasks', role: 'result backend', onError() {} })
    t.teardown(() => store.stop())
    await store.start()
    const backend = createResultBackend(store)
    await backend.start()
    const past = Date.now() - 3_600_000
    const failures = [
      // The flood is older, and its name comes first.
      ...Array.from({ length: FLOOD }, (_, at) => ({ taskName: 'a-flood', finishedAt: past + at })),
      ...Array.from({ length: FEW }, (_, at) => ({ taskName: 'few', finishedAt: past + FLOOD + at }))
    ]
    for (let at = 0; at < failures.length; at += 500) {
      await backend.record(failures.slice(at, at + 500).map(failure =>
        makeExecution({ ...failure, executionId: uuid(), queue: failure.taskName, status: 'failed' })))
    }
    await backend.stop()
    // An embedded store can be open only once.
    await store.stop()
    const queueApp = QueueApp.fromUrls({ broker: url, namespace: 'tasks', tasks: { 'a-flood': {}, 'few': {} } })
    t.teardown(() => queueApp.stop())
    await queueApp.start()
    const { operationId } = await queueApp.operations.bulk.create({
      action: 'retry', filter: {}, taskNames: ['a-flood', 'few'], tasksLeftOut: 0
    })
    const { bulk } = queueApp.monitoring
    await waitFor('the operation to end', async () => (await bulk.find(operationId))!.state === 'done')
    t.match((await bulk.find(operationId))!.progress, { done: FLOOD + FEW })
    const early: string[] = []
    for (let cursor: string | null | undefined; early.length < 600;) {
      const page: Awaited<ReturnType<typeof bulk.items>> = await bulk.items(operationId, { limit: 200, ...cursor && { cursor } })
      early.push(...page.items.map(item => item.taskName!))
      cursor = page.nextCursor
    }
    t.equal(early.filter(taskName => taskName === 'few').length, FEW, 'those of the other task are among the first')
  })
}

t.test('operations take turns, step by step', async t => {
  const STEPS = { large: 50, small: 3 }
  const turns: string[] = []
  const open = new Set(Object.keys(STEPS))
  startRunner(t, {
    open,
    async step({ operationId }) {
      turns.push(operationId)
      const isLast = turns.filter(turn => turn === operationId).length === STEPS[operationId as keyof typeof STEPS]
      return { is: isLast ? 'over' : 'busy', items: 500 }
    }
  })
  await waitFor('both to end', async () => open.size === 0)
  t.same(turns.slice(0, 6), ['large', 'small', 'large', 'small', 'large', 'small'])
  t.equal(turns.length, STEPS.large + STEPS.small)
})

t.test('no second has more items than the rate, however long its steps take, even after a takeover', async t => {
  for (const rate of [1, 3, 8]) {
    const size = stepSizeOf({ rate })
    const times: number[] = []
    const start = () => {
      let taken = 0
      return startRunner(t, {
        open: new Set(['one']), order: { ...ORDER, rate },
        async step() {
          // Some items are done late in their step, and some early.
          const isLate = taken++ % 2 === 0
          if (isLate) await sleep(400)
          times.push(...Array.from({ length: size }, () => performance.now()))
          if (!isLate) await sleep(400)
          return { is: 'busy', items: size }
        }
      })
    }
    for (let process = 0; process < 2; process++) {
      const runner = start()
      const wanted = times.length + 2 * size
      await waitFor('two steps', async () => times.length >= wanted)
      await runner.stop()
    }
    for (const [index, at] of times.entries()) {
      const inSecond = times.slice(index).filter(each => each < at + 999).length
      t.ok(inSecond <= rate, `${inSecond} at a rate of ${rate}`)
    }
  }
})
