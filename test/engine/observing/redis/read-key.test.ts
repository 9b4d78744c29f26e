import t from 'tap'
import { whichHaveAny } from '../../../../lib/engine/observing/redis/read-key.ts'
import type { QueueKey, RedisQueue } from '../../../../lib/engine/observing/redis/redis-queue.ts'
import { readOneByOne } from '../../../support/read-one-by-one.ts'

const KINDS: readonly QueueKey[] = ['delayed', 'prioritized']

/** Queues of one server that has these keys. */
function queuesOn(there: ReadonlySet<string>, names: readonly string[], refuse: (keys: readonly string[]) => Error | null = () => null) {
  const sent: string[][] = []
  const readAll = readOneByOne(async (command, ...given) => {
    const keys = given.map(String)
    sent.push([command, ...keys])
    const refusal = refuse(keys)
    if (refusal) throw refusal
    return keys.filter(key => there.has(key)).length
  })
  const queues = names.map(name =>
    ({ prefix: 'bull', name, taskName: name, client: { readAll }, seen: new Set() } as unknown as RedisQueue))
  const ask = async (kinds = KINDS) => [...await whichHaveAny(queues.map(queue => ({ queue, kinds })))].map(({ name }) => name)
  return { sent, ask }
}

const NAMES = Array.from({ length: 120 }, (_, index) => `q-${index}`)

t.test('if no queue has the keys, one command checks fifty queues', async t => {
  const { sent, ask } = queuesOn(new Set(), NAMES)
  t.strictSame(await ask(), [])
  t.strictSame(sent.map(([, ...keys]) => keys.length), [100, 100, 40])
})

t.test('if one queue has a key, each of its fifty is checked separately', async t => {
  const { sent, ask } = queuesOn(new Set(['bull:q-7:delayed']), NAMES)
  t.strictSame(await ask(), ['q-7'])
  t.equal(sent.length, 3 + 50)
})

t.test('a queue whose keys the user may not read causes an error, and does not decide about other queues', async t => {
  const { ask } = queuesOn(new Set(['bull:q-1:delayed']), ['q-0', 'q-1'], keys =>
    keys.some(key => key.startsWith('bull:q-0:')) ? new Error('NOPERM no access to a key') : null)
  await t.rejects(ask(), /NOPERM/)
  const { ask: askOne } = queuesOn(new Set(['bull:q-1:delayed']), ['q-1'])
  t.strictSame(await askOne(), ['q-1'])
})

t.test('if keys are on several nodes of a cluster, every queue counts as having some', async t => {
  const { sent, ask } = queuesOn(new Set(), ['q-0', 'q-1'], () => new Error("CROSSSLOT Keys in request don't hash to the same slot"))
  t.strictSame(await ask(), ['q-0', 'q-1'])
  t.equal(sent.length, 3)
})

t.test('no command is sent for an empty list of keys', async t => {
  const { sent, ask } = queuesOn(new Set(['bull:q-0:delayed']), ['q-0'])
  t.strictSame(await ask([]), [])
  t.strictSame(sent, [])
})
