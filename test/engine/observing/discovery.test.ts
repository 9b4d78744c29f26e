import t from 'tap'
import { createDiscovery, type QueuesLook } from '../../../lib/engine/observing/discovery.ts'
import type { ObservedServer } from '../../../lib/engine/observing/observed-server.ts'
import { createObservedRedis } from '../../../lib/engine/observing/redis/redis-server.ts'
import type { ReadClient } from '../../../lib/stores/redis/observing/read-client.ts'
import { DeadlineError } from '../../../lib/time/deadline.ts'
import { waitFor } from '../../support/wait-for.ts'

/** A server whose only keys are the metadata of queues. Each step of a scan finds one key. */
function serverWith(label: string, queues: readonly string[], scan: (cursor: number) => Promise<void> = async () => {}) {
  return createObservedRedis({
    label, start: async () => {}, stop: async () => {}, nodes(): unknown[] { return [(this as unknown as { read: unknown }).read] },
    forKey() { return this },
    async read(command: string, cursor: string) {
      if (command !== 'SCAN') return 1
      const at = Number(cursor)
      await scan(at)
      return [at + 1 < queues.length ? String(at + 1) : '0', queues[at] === undefined ? [] : [`bull:${queues[at]}:meta`]]
    }
  } as unknown as ReadClient)
}

const source = (server: ObservedServer, label: string | null = null) => ({ server, prefix: 'bull', label, queues: 'all' as const })

t.test('a server that cannot be scanned does not hide queues of another, and is named', async t => {
  const errors: string[] = []
  const broken = serverWith('redis://broken', [], () => Promise.reject(new Error('it hangs')))
  const discovery = createDiscovery([source(serverWith('redis://well', ['a', 'b'])), source(broken, 'other')], {
    onError: error => errors.push(error.message)
  })
  t.teardown(discovery.stop)
  await discovery.start()
  t.same(discovery.taskNames(), ['a', 'b'])
  t.match(discovery.problem(), /^Queues at redis:\/\/broken cannot be looked for \(it hangs\)$/)
  t.same(errors, ['it hangs'])
})

t.test('the start fails if no server can be scanned', async t => {
  const broken = serverWith('redis://broken', [], () => Promise.reject(new Error('it hangs')))
  const discovery = createDiscovery([source(broken)], { onError: error => t.fail(error.message) })
  t.teardown(discovery.stop)
  await t.rejects(discovery.start(), { code: 'STORE_UNREACHABLE', cause: { message: 'it hangs' } })
})

t.test('a long first scan reports its progress, and its queues are shown as they are found', async t => {
  let end: () => void = () => {}
  const ended = new Promise<void>(resolve => { end = resolve })
  const looks: QueuesLook[] = []
  const server = serverWith('redis://large', ['a', 'b', 'c'], async cursor => {
    if (cursor === 1) await new Promise(resolve => { setTimeout(resolve, 1_100) })
    if (cursor === 2) await ended
  })
  const discovery = createDiscovery([source(server)], { onError: error => t.fail(error.message), onLook: look => { looks.push(look) } })
  t.teardown(discovery.stop)
  await discovery.start()
  t.same(discovery.taskNames(), ['a', 'b'])
  t.match(looks, [{ keys: 2_000, queues: 2, isDone: false }])
  end()
  while (!looks.some(({ isDone }) => isDone)) await new Promise(resolve => { setImmediate(resolve) })
  t.same(discovery.taskNames(), ['a', 'b', 'c'])
})

t.test('a queue whose task name is taken is not shown, and this is reported once', async t => {
  const errors: string[] = []
  const discovery = createDiscovery([source(serverWith('redis://shared', ['email', 'mail']))], {
    onError: error => errors.push(error.message), taken: async () => name => name === 'email'
  })
  t.teardown(discovery.stop)
  await discovery.start()
  t.same(discovery.taskNames(), ['mail'])
  t.equal(discovery.queueOf('email'), undefined)
  const said = 'Existing queues are not shown because tasks of this app have their names: "email" at redis://shared. Give their source a ' +
    '`label`'
  t.equal(discovery.problem(), said)
  t.same(errors, [said])
})

t.test('the start fails if a server does not respond to the first scan, which is not the same as a long scan', async t => {
  const silent = serverWith('postgres://silent', [], () => Promise.reject(new DeadlineError('the database did not answer within 1500 ms')))
  const discovery = createDiscovery([source(silent)], { onError: error => t.fail(error.message) })
  t.teardown(discovery.stop)
  await t.rejects(discovery.start(), { code: 'STORE_UNREACHABLE', message: /postgres:\/\/silent/ })
})

t.test('a server that may have more queues than can be shown is reported', async t => {
  const server: ObservedServer = {
    ...serverWith('redis://large', []),
    scan: async () => ({ byPrefix: new Map([['bull', new Set(['a', 'b'])]]), isAll: false, isFull: true })
  }
  const said = 'Only 2 queues at redis://large are shown, and there may be more: name those that you need in `queues`'
  const errors: string[] = []
  const discovery = createDiscovery([source(server)], { onError: error => errors.push(error.message) })
  t.teardown(discovery.stop)
  await discovery.start()
  t.equal(discovery.problem(), said)
  t.same(errors, [said])
})

t.test('a server that cannot be scanned is named even while the first scan of another one is still running', async t => {
  let end: () => void = () => {}
  const ended = new Promise<void>(resolve => { end = resolve })
  const broken = serverWith('redis://broken', [], () => Promise.reject(new Error('it hangs')))
  const discovery = createDiscovery([source(serverWith('redis://large', ['a'], () => ended)), source(broken, 'other')], { onError() {} })
  t.teardown(discovery.stop)
  await discovery.start()
  t.equal(discovery.problem(), 'Queues at redis://broken cannot be looked for (it hangs)')
  end()
})

t.test('a stop ends the search that the start waits for, and the start resolves', async t => {
  let end: () => void = () => {}
  const server = serverWith('redis://large', ['a', 'b'], cursor => new Promise(resolve => { if (cursor === 0) resolve(); else end = resolve }))
  const discovery = createDiscovery([source(server)], { onError: error => t.fail(error.message) })
  const starting = discovery.start()
  let isSettled = false
  starting.finally(() => { isSettled = true }).catch(() => {})
  await new Promise(resolve => { setTimeout(resolve, 100) })
  t.notOk(isSettled)
  discovery.abort()
  await starting
  end()
  await discovery.stop()
})

t.test('a stop while the connections are being opened leaves no search behind', async t => {
  let searches = 0
  const server = serverWith('redis://large', ['a'], () => new Promise(() => { searches++ }))
  const discovery = createDiscovery([{ ...source(server), queues: ['a'] }], {
    onError: error => t.fail(error.message),
    taken: () => { searches++; return new Promise(() => {}) }
  })
  const starting = discovery.start()
  discovery.abort()
  await starting
  t.equal(searches, 0)
})

/** Searches follow each other soon, however long they take. */
const SOON = { everyMs: 100, atMostMs: 500, keysPerSecond: 1_000_000 }
/** Searches would follow each other much later if a slow search put them off. */
const SOON_ENOUGH_MS = 8_000

t.test('a search that took long does not put off the next one beyond the limit', async t => {
  const queues = ['a']
  let searches = 0
  const server = serverWith('redis://slow', queues, async () => {
    if (++searches <= 2) await new Promise(resolve => { setTimeout(resolve, 600) })
  })
  const discovery = createDiscovery([source(server)], { onError: error => t.fail(error.message), pace: SOON })
  t.teardown(discovery.stop)
  await discovery.start()
  queues.push('b')
  await waitFor('the new queue', async () => discovery.taskNames().includes('b'), SOON_ENOUGH_MS)
})

t.test('a queue that appears is shown while a long search is still running, and counts as new', async t => {
  const queues = ['a', 'b', 'c']
  let isLast = false
  const server = serverWith('redis://large', queues, async cursor => {
    // Progress is reported once a second.
    if (isLast && cursor === 1) await new Promise(resolve => { setTimeout(resolve, 1_100) })
    if (isLast && cursor === 2) await new Promise(() => {})
  })
  const discovery = createDiscovery([source(server)], { onError: error => t.fail(error.message), pace: SOON })
  await discovery.start()
  const startedBy = Date.now()
  queues.unshift('new')
  isLast = true
  const found = await waitFor('the new queue', async () => discovery.queueOf('new'), SOON_ENOUGH_MS)
  t.ok(found.absentAt !== undefined && found.absentAt <= startedBy, 'the last complete search did not find it')
  t.same(discovery.taskNames(), ['a', 'b', 'c', 'new'], 'the others stay')
})

t.test('the long search of one server does not delay those of another', async t => {
  const queues = ['a']
  let searches = 0
  const hanging = serverWith('redis://hangs', ['x'], async () => { if (++searches > 1) await new Promise(() => {}) })
  const discovery = createDiscovery([source(serverWith('redis://quick', queues)), source(hanging, 'other')], {
    onError: error => t.fail(error.message), pace: SOON
  })
  await discovery.start()
  await waitFor('the second search', async () => searches > 1, SOON_ENOUGH_MS)
  queues.push('b')
  await waitFor('the new queue', async () => discovery.taskNames().includes('b'), SOON_ENOUGH_MS)
})
