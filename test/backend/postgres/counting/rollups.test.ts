import t from 'tap'
import { createResultBackend } from '../../../../lib/backend/create-result-backend.ts'
import { HOUR_MS } from '../../../../lib/time/units.ts'
import type { SqlStore } from '../../../../lib/stores/store.ts'
import { makeExecution } from '../../make-execution.ts'
import { readWindow } from '../../read-window.ts'
import { openSql } from '../open-sql.ts'

const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 5 * HOUR_MS
const inHours = { span: 'hour', fromMs: hour, toMs: hour + 3 * HOUR_MS } as const
const at = (offset: number, durationMs: number) =>
  makeExecution({ finishedAt: hour + offset * HOUR_MS + 1, taskName: 'a', durationMs, waitMs: 1 })

t.test('a second read of roll-ups fetches only those that changed', async t => {
  const { store } = await openSql(t)
  let sent = 0
  const query: SqlStore['query'] = async (...parameters) => {
    const result = await store.query(...parameters)
    sent += (result.rows as Array<{ duration?: string | null }>).filter(row => typeof row.duration === 'string').length
    return result as never
  }
  const backend = createResultBackend(Object.create(store, { query: { value: query } }) as SqlStore)
  await backend.record([at(0, 10), at(1, 20), at(2, 30)])
  const read = async () => {
    sent = 0
    const rollups = await backend.rollups(inHours)
    const sentOfHours = sent
    const byTask = await backend.windowByTask(inHours.fromMs, inHours.toMs)
    return [rollups.map(each => each.tally.success), sentOfHours, byTask.get('a')?.success, sent - sentOfHours]
  }
  t.strictSame(await read(), [[1, 1, 1], 3, 3, 3])
  t.strictSame(await read(), [[1, 1, 1], 0, 3, 0])
  await backend.record([at(1, 40)])
  t.strictSame(await read(), [[1, 2, 1], 1, 4, 1])
})

t.test('a roll-up that was lost and recorded again is read again, although its count is the same', async t => {
  const { store, backend } = await openSql(t)
  await backend.record([at(0, 10)])
  const read = async () => [
    (await backend.rollups(inHours)).map(each => [...each.tally.duration.values(), each.tally.success]),
    (await readWindow(backend, hour, hour + 1)).duration?.p50, (await backend.windowByTask(hour, hour + 1)).get('a')?.duration?.p50
  ]
  t.strictSame(await read(), [[[1, 1]], 10, 10])
  await store.query(`DELETE FROM "${store.schema}".execution_rollups`)
  t.strictSame(await read(), [[], undefined, undefined])
  await backend.record([at(0, 50)])
  t.strictSame(await read(), [[[1, 1]], 50, 50])
})
