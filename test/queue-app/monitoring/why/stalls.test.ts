import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { dashboardPlugin, QueueApp } from '../../../../lib/index.ts'
import type { ExecutionWhy } from '../../../../schemas/why.ts'
import { postgresUrl, redisUrl, startPostgres, startRedis } from '../../../support/servers/stores.ts'
import { buildStalls, STALL_KINDS, type Stall } from './stalls.ts'

/** Together with an unavailable broker, these are ten kinds. */
const EACH = 10
const MIN_RIGHT = 95

const STORES = [['redis', 1, redisUrl, startRedis], ['postgres', 2, postgresUrl, startPostgres]] as const

for (const [kind, seed, openUrl, startServer] of STORES) {
  t.test(`of 100 stalls of ten kinds on ${kind}, at least 95 are named correctly and none wrongly`, async t => {
    const { stalls, asked } = await buildStalls(t, await openUrl(t), { seed, each: EACH })
    const answers = await askAll(t, asked, stalls)

    const server = await startServer(t)
    const away = QueueApp.fromUrls({ broker: server.url, tasks: { away: {} }, onError() {} })
    t.teardown(() => away.stop())
    await away.start()
    const ids = await away.enqueueMany('away', Array.from({ length: EACH }, () => []))
    await server.stop()
    answers.push(...await askAll(t, away, ids.map((executionId): Stall =>
      ({ kind: 'broker_unavailable', executionId, expected: { reason: 'unreachable' } }))))

    t.equal(answers.length, (STALL_KINDS.length + 1) * EACH)
    const right = answers.filter(({ stall, why }) => why.facts[0]!.kind === stall.kind)
    const wrong = answers.filter(({ stall, why }) => why.known && why.facts[0]!.kind !== stall.kind)
    t.same(wrong.map(({ stall, why }) => [stall.kind, why]), [], 'none is named wrongly')
    t.ok(right.length >= MIN_RIGHT, `${right.length} of ${answers.length} are named correctly`)
    for (const { stall, why } of right) t.match(why.facts[0], stall.expected, `${stall.kind}: ${why.sentence}`)
  })
}

async function askAll(
  t: Test, queueApp: QueueApp, stalls: readonly Stall[]
): Promise<Array<{ readonly stall: Stall; readonly why: ExecutionWhy }>> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(dashboardPlugin, { queueApp, access: 'host' })
  const answers: Array<{ readonly stall: Stall; readonly why: ExecutionWhy }> = []
  for (const stall of stalls) {
    const response = await app.inject(`/api/executions/${stall.executionId}/why`)
    t.equal(response.statusCode, 200, response.body)
    answers.push({ stall, why: response.json<ExecutionWhy>() })
  }
  return answers
}
