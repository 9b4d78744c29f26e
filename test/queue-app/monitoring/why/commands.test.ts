import { Redis } from 'ioredis'
import pg from 'pg'
import t from 'tap'
import { QueueApp } from '../../../../lib/index.ts'
import { isRead } from '../../../../lib/stores/read-lane.ts'
import { postgresUrl, redisUrl } from '../../../support/servers/stores.ts'

const MAX_COMMANDS = 20
const MANY_TASKS = Object.fromEntries(Array.from({ length: 1_200 }, (_, index) => [`task ${index}`, {}]))

type Sends = Record<string, (...parameters: never[]) => unknown>

/** Counts the commands or statements that reads send to a store, while `work` runs. */
async function countReads(prototype: object, method: string, work: () => Promise<unknown>): Promise<number> {
  const sends = prototype as Sends
  const send = sends[method]!
  let count = 0
  sends[method] = function (this: unknown, ...parameters) {
    if (isRead()) count++
    return send.apply(this, parameters)
  }
  try {
    await work()
    return count
  } finally {
    sends[method] = send
  }
}

for (const [kind, openUrl, prototype, method] of [
  ['redis', redisUrl, Redis.prototype, 'sendCommand'], ['postgres', postgresUrl, pg.Client.prototype, 'query']
] as const) {
  t.test(`why takes at most ${MAX_COMMANDS} commands on ${kind}, with many tasks and nothing cached`, async t => {
    const url = await openUrl(t)
    const first = QueueApp.fromUrls({ broker: url, tasks: MANY_TASKS, onError() {} })
    t.teardown(() => first.stop())
    await first.start()
    await first.enqueueMany('task 7', Array.from({ length: 30 }, () => []))
    const last = await first.enqueue('task 7', [])

    const fresh = QueueApp.fromUrls({ broker: url, tasks: MANY_TASKS, onError() {} })
    t.teardown(() => fresh.stop())
    await fresh.start()
    for (const [what, id] of [['one that waits', last], ['an unknown one', 'there-is-none']] as const) {
      const count = await countReads(prototype, method, () => fresh.monitoring.why(id))
      t.ok(count > 0 && count <= MAX_COMMANDS, `${what}: ${count} commands`)
      t.comment(`${kind}, ${what}: ${count}`)
    }
    t.match(await fresh.monitoring.why(last), { facts: [{ kind: 'no_worker' }, { kind: 'behind', ahead: { value: 30 } }] })
  })
}
