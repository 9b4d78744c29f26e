import { QueueApp } from '../../../../lib/index.ts'
import type { WhyFact } from '../../../../schemas/why.ts'
import { newStore } from '../../../contracts/store.ts'
import { openQueues } from '../../../contracts/engine-work.ts'
import type { TestScope } from '../../../support/servers/stores.ts'
import { waitFor } from '../../../support/wait-for.ts'
import { reportGhost, takeJob } from './ghost.ts'
import { seededRandom } from '../../../support/seeded-random.ts'

/** Kinds of stalls on an available broker. */
export const STALL_KINDS = [
  'paused', 'no_worker', 'workers_busy', 'rate_limited', 'delayed', 'behind', 'retrying', 'worker_lost', 'concurrency_limit'
] as const
export type StallKind = (typeof STALL_KINDS)[number]

/** An execution that does not run, and the expected reason. */
export interface Stall {
  readonly kind: WhyFact['kind']
  readonly executionId: string
  readonly expected: Record<string, unknown>
}

interface Plan {
  readonly kind: StallKind
  readonly taskName: string
  /** 1 to 3. */
  readonly size: number
  readonly priority: number
  readonly isForeign: boolean
}

const HOUR_MS = 3_600_000
const NAMESPACE = 'stalls'
const GHOST = 'ghost:1:dead'

/** Creates `each` real stalls of every kind at once, and returns them with the app that has to explain them. */
export async function buildStalls(
  t: TestScope, url: string, { seed, each }: { seed: number; each: number }
): Promise<{ readonly stalls: readonly Stall[]; readonly asked: QueueApp }> {
  const random = seededRandom(seed)
  const plans = STALL_KINDS.flatMap(kind => Array.from({ length: each }, (_, index): Plan => ({
    kind, taskName: `${'abc'[index % 3]} ${seed} ${Math.floor(random() * 1e9)}`, size: 1 + Math.floor(random() * 3),
    priority: random() < 0.3 ? 1 + Math.floor(random() * 9) : 0, isForeign: random() < 0.3
  })))
  const unworked = plans.filter(({ kind }) => kind === 'no_worker' || kind === 'worker_lost')
  const asked = QueueApp.fromUrls({
    broker: url, namespace: NAMESPACE, tasks: Object.fromEntries(unworked.map(({ taskName }) => [taskName, {}])), onError() {}
  })
  const worker = QueueApp.fromUrls({ broker: url, namespace: NAMESPACE, stopGraceMs: 0, onError() {} })
  for (const plan of plans) if (!unworked.includes(plan)) register(worker, plan)
  t.teardown(() => Promise.all([asked.stop(), worker.stop()]))
  await asked.start()
  await worker.start()
  await waitFor('the tasks to be known', async () => (await asked.monitoring.tasks()).length === plans.length)
  const store = newStore(url, NAMESPACE)
  await store.start()
  t.teardown(() => store.stop())
  const queueOf = await openQueues(t, store)
  await reportGhost(store, { workerId: GHOST })

  const stalls = await Promise.all(plans.map(async plan => {
    const { kind, taskName, size, priority } = plan
    const enqueue = (how: string, options: { delayMs?: number; priority?: number } = {}): Promise<string> =>
      asked.enqueue(taskName, [how], options)
    const runs = async (running: number): Promise<void> => {
      await waitFor(`${running} of ${kind} to run`, async () => (await asked.monitoring.queue(taskName))?.running === running)
    }
    switch (kind) {
      case 'paused': {
        const reason = `deploy ${size}`
        if (plan.isForeign) await queueOf(taskName).pause()
        else await asked.operations.pauseQueue(taskName, { by: 'ada', reason })
        for (let index = 1; index < size; index++) await enqueue('return')
        return found(await enqueue('return', { priority }), { pause: plan.isForeign ? { by: null } : { by: 'ada', reason } })
      }
      case 'no_worker': return found(await enqueue('return', { priority }), {})
      case 'workers_busy':
        for (let index = 0; index < size; index++) await enqueue('hang')
        await runs(size)
        return found(await enqueue('hang', { priority }), { workers: 1, concurrency: size })
      case 'rate_limited':
        for (let index = 0; index < size; index++) await enqueue('return')
        await waitFor('the limit', async () => (await asked.monitoring.task(taskName))!.rateLimitedUntil !== null)
        return found(await enqueue('return', { priority }), { max: size, duration_ms: HOUR_MS })
      case 'delayed': return found(await enqueue('return', { delayMs: size * HOUR_MS, priority }), { schedule_id: null })
      case 'behind': {
        for (let index = 0; index < size; index++) await enqueue('return')
        await waitFor('records', async () => (await asked.monitoring.task(taskName))!.executions.success === size)
        await enqueue('hang')
        await runs(1)
        for (let index = 0; index < size; index++) await enqueue('return')
        const executionId = await enqueue('return', { priority })
        // Those without a priority go first, even if they come later.
        if (priority > 0) await enqueue('return')
        return found(executionId, { ahead: { value: priority > 0 ? size + 1 : size, relation: 'exact' } })
      }
      case 'retrying': {
        const executionId = await enqueue('throw', { priority })
        await waitFor('its failure', async () => (await asked.monitoring.execution(executionId))?.state === 'retrying')
        return found(executionId, { attempt: 1, max_attempts: 1 + size })
      }
      case 'worker_lost': {
        const executionId = await enqueue('return', { priority })
        await takeJob(store, taskName, { workerId: GHOST, lockMs: HOUR_MS })
        return found(executionId, { worker_id: GHOST, last_seen_at: String, locked_until: String })
      }
      case 'concurrency_limit':
        await queueOf(taskName).setGlobalConcurrency(size)
        for (let index = 0; index < size; index++) await enqueue('hang')
        await runs(size)
        return found(await enqueue('hang', { priority }), { limit: size, running: size })
    }

    function found(executionId: string, expected: Stall['expected']): Stall {
      return { kind, executionId, expected }
    }
  }))
  return { stalls, asked }
}

function register(app: QueueApp, { kind, taskName, size }: Plan): void {
  const concurrency = kind === 'workers_busy' ? size : kind === 'behind' ? 1 : 5
  app.task(taskName, async (how: string) => {
    if (how === 'throw') throw new Error('as planned')
    if (how === 'hang') await new Promise(() => {})
  }, {
    concurrency, retries: kind === 'retrying' ? size : 0, retryDelay: 3_600,
    ...kind === 'rate_limited' && { rateLimit: { max: size, durationMs: HOUR_MS } }
  })
}
