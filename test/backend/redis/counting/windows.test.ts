import t from 'tap'
import { createResultBackend } from '../../../../lib/backend/create-result-backend.ts'
import { HOUR_MS } from '../../../../lib/time/units.ts'
import { makeExecution } from '../../make-execution.ts'
import { readWindow } from '../../read-window.ts'
import { openRedisBackend } from '../open-backend.ts'

const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 5 * HOUR_MS
const inHours = { span: 'hour', fromMs: hour, toMs: hour + 3 * HOUR_MS } as const
const at = (offset: number, durationMs: number) =>
  makeExecution({ finishedAt: hour + offset * HOUR_MS + 1, taskName: 'a', durationMs, waitMs: 1 })

t.test('a second read of roll-ups fetches only those that changed', async t => {
  const { store, backend } = await openRedisBackend(t)
  await backend.record([at(0, 10), at(1, 20), at(2, 30)])
  let texts = 0
  const call = store.client.callBuffer.bind(store.client)
  Object.assign(store.client, { callBuffer: async (command: string, ...parameters: Array<string | number | Buffer>) => {
    const answer = await call(command, ...parameters) as unknown[]
    texts += (answer.length - 1) / 2
    return answer
  } })
  const read = async () => {
    texts = 0
    const rollups = await backend.rollups(inHours)
    return [rollups.map(each => each.tally.success), texts]
  }
  t.strictSame(await read(), [[1, 1, 1], 3])
  t.strictSame(await read(), [[1, 1, 1], 0])
  await backend.record([at(1, 40)])
  t.strictSame(await read(), [[1, 2, 1], 1])
})

t.test('a roll-up that Redis lost and that was recorded again is read again, although its count is the same', async t => {
  const { store, backend, keys } = await openRedisBackend(t)
  await backend.record([at(0, 10)])
  const read = async () => [
    (await backend.rollups(inHours)).map(each => [...each.tally.duration.values(), each.tally.success]),
    (await readWindow(backend, hour, hour + 1)).duration?.p50, (await backend.windowByTask(hour, hour + 1)).get('a')?.duration?.p50
  ]
  t.strictSame(await read(), [[[1, 1]], 10, 10])
  await store.client.del(keys.rollup('hour', hour / HOUR_MS), keys.rollup('minute', hour / 60_000))
  t.strictSame(await read(), [[], undefined, undefined])
  await backend.record([at(0, 50)])
  t.strictSame(await read(), [[[1, 1]], 50, 50])
})

t.test('the lines of a roll-up are merged before they become many', async t => {
  const { store, backend, keys } = await openRedisBackend(t)
  const key = keys.rollup('hour', hour / HOUR_MS)
  const read = async () => {
    const [rollup] = await backend.rollups(inHours)
    const { success, failed } = (await backend.windowByTask(hour, hour + 1)).get('a')!
    return [rollup!.tally.success, rollup!.tally.failed, success, failed]
  }
  await backend.record(Array.from({ length: 20 }, () => at(0, 20)))
  const length = await store.client.hstrlen(key, 'a')
  for (let i = 0; i < 300; i++) await backend.record([at(0, 20 + i % 30)])
  t.strictSame(await read(), [320, 0, 320, 0])
  t.ok(length < 200 && await store.client.hstrlen(key, 'a') < 1_100, 'the lines were merged')
  t.strictSame(await createResultBackend(store).rollups(inHours), await backend.rollups(inHours))
})
