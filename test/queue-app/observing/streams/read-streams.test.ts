import t from 'tap'
import type { SeenQueue } from '../../../../lib/engine/observing/discovery.ts'
import { createObservedRedis } from '../../../../lib/engine/observing/redis/redis-server.ts'
import { createStreamReader, type StreamsPart } from '../../../../lib/queue-app/observing/streams/read-streams.ts'
import type { ReadClient } from '../../../../lib/stores/redis/observing/read-client.ts'
import { DeadlineError } from '../../../../lib/time/deadline.ts'

type Answer = Array<[string, Array<[string, string[]]>]> | null

/** A server whose XREAD is `read`, with this number of queues. */
function serverWith(queues: number, read: (keys: string[], count: number) => Answer, aside: () => Promise<Answer> = async () => null) {
  const server = createObservedRedis({
    read: async (_command: string, _count: string, count: number, _streams: string, ...rest: string[]) =>
      read(rest.slice(0, rest.length / 2), count),
    readPatiently: aside,
    ping: async () => 1
  } as unknown as ReadClient)
  const all = Array.from({ length: queues }, (_, index): SeenQueue => ({
    taskName: `q${index}`, name: `q${index}`, prefix: 'bull', server, firstSeenAt: 0, lastSeenAt: 0
  }))
  return { server, all }
}

const event = (id: string): [string, string[]] => [id, ['event', 'completed', 'jobId', id]]

t.test('a stream that cannot be read does not keep others from being read, and is named', async t => {
  const { server, all } = serverWith(150, keys => {
    if (keys.includes('bull:q3:events')) throw Object.assign(new Error('WRONGTYPE Operation against a key'), { name: 'ReplyError' })
    return keys.map(key => [key, [event('1-0')]])
  })
  const reader = createStreamReader()
  const seen = new Set<string>()
  for (let round = 0; round < 4; round++) {
    try {
      for await (const part of reader.read(server, all, () => '0-0')) for (const name of part.events.keys()) seen.add(name)
    } catch {
      // The part with that stream was not read.
    }
  }
  t.equal(seen.size, 149)
  t.match(reader.problems(), [/events of the queue q3 cannot be read \(WRONGTYPE/])
})

t.test('streams that are too large for one response are read in smaller parts, last, and a single large event separately', async t => {
  let asked = 0
  let answerAside: ((answer: Answer) => void) | undefined
  const { server, all } = serverWith(3, (keys, count) => {
    asked++
    // The first event of q1 is too large, however few are asked for.
    if (keys.includes('bull:q1:events')) throw new Error(`Command timed out after ${count}`)
    return keys.map(key => [key, [event('5-0')]])
  }, () => new Promise(resolve => { answerAside = resolve }))
  const reader = createStreamReader()
  const round = async () => {
    const parts: StreamsPart[] = []
    try {
      for await (const part of reader.read(server, all, () => '0-0')) parts.push(part)
    } catch {
      // The part with q1 was not read.
    }
    return parts
  }
  const seen = new Set<string>()
  for (let rounds = 0; !reader.isAside('q1') && rounds < 12; rounds++)
    for (const part of await round()) for (const name of part.events.keys()) seen.add(name)
  t.same([...seen].sort(), ['q0', 'q2'], 'the others were read')
  t.ok(reader.isAside('q1'))
  const before = asked
  t.same((await round()).flatMap(({ events }) => [...events.keys()]).sort(), ['q0', 'q2'], 'the others do not wait for it')
  t.ok(asked > before)
  answerAside!([['bull:q1:events', [event('7-0')]]])
  await new Promise(resolve => { setImmediate(resolve) })
  const part = (await round()).find(({ events }) => events.has('q1'))
  t.match(part?.events.get('q1'), [{ id: '7-0' }])
})

t.test('an event whose read takes over a minute is skipped', async t => {
  const { server, all } = serverWith(
    1, () => { throw new Error('Command timed out') }, () => Promise.reject(new DeadlineError('no answer'))
  )
  const reader = createStreamReader()
  const parts: StreamsPart[] = []
  for (let rounds = 0; parts.length === 0 && rounds < 20; rounds++) {
    try {
      for await (const part of reader.read(server, all, () => '0-0')) parts.push(part)
    } catch {
      // The next round reads less.
    }
  }
  t.match(parts, [{ isTooLarge: true, queues: [{ taskName: 'q0' }] }])
})

t.test('a busy server is read again at once, not after a minute like a stream that cannot be read', async t => {
  for (const answer of ['BUSY Redis is busy running a script', 'LOADING Redis is loading', 'MASTERDOWN Link with MASTER is down']) {
    let isBusy = true
    const { server, all } = serverWith(3, keys => {
      if (isBusy) throw Object.assign(new Error(answer), { name: 'ReplyError' })
      return keys.map(key => [key, [event('1-0')]])
    })
    const reader = createStreamReader()
    const round = async () => {
      const seen = new Set<string>()
      try {
        for await (const part of reader.read(server, all, () => '0-0')) for (const name of part.events.keys()) seen.add(name)
      } catch {
        // The server is busy.
      }
      return seen
    }
    for (let rounds = 0; rounds < 3; rounds++) await round()
    isBusy = false
    t.equal((await round()).size, 3, answer)
    t.same(reader.problems(), [])
  }
})

t.test('an event does not count as too large if the server stops responding while it is read separately', async t => {
  let isSilent = false
  const { server, all } = serverWith(1, () => { throw new Error('Command timed out') }, () => {
    isSilent = true
    return Promise.reject(new DeadlineError('no answer'))
  })
  Object.assign(server, { ping: async () => { if (isSilent) throw new Error('Command timed out') } })
  const reader = createStreamReader()
  const parts: StreamsPart[] = []
  for (let rounds = 0; rounds < 20; rounds++) {
    try {
      for await (const part of reader.read(server, all, () => '0-0')) parts.push(part)
    } catch {
      // The server does not respond.
    }
    await new Promise(resolve => { setImmediate(resolve) })
  }
  t.ok(isSilent, 'it was read separately')
  t.same(parts, [])
})

t.test('the first responses are small, and later ones stay small while events are large', async t => {
  for (const { characters, most } of [{ characters: 10, most: 4_000 }, { characters: 2 ** 20, most: 128 }]) {
    const asked: number[] = []
    const result = 'x'.repeat(characters)
    const { server, all } = serverWith(100, (keys, count) => {
      asked.push(keys.length * count)
      return keys.map(key => [key, Array.from({ length: count }, (_, index): [string, string[]] => [
        `${index + 1}-0`, ['event', 'completed', 'jobId', 'j', 'returnvalue', result]
      ])])
    })
    const reader = createStreamReader()
    let parts = 0
    for (let round = 0; round < 10; round++) for await (const part of reader.read(server, all, () => '0-0')) parts += part.queues.length
    t.equal(parts, 1_000)
    t.ok(asked[0]! <= 8, `${asked[0]} events at first`)
    t.ok(Math.max(...asked) <= most, `${Math.max(...asked)} events of ${characters} characters at most`)
    if (characters < 100) t.equal(Math.max(...asked), most, 'small events are read by the thousand, but not so many that others wait')
  }
})
