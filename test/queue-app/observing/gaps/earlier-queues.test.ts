import t from 'tap'
import type { ObservedServer } from '../../../../lib/engine/observing/observed-server.ts'
import { createEarlierQueues } from '../../../../lib/queue-app/observing/gaps/earlier-queues.ts'
import { createSavedProgress } from '../../../../lib/queue-app/observing/saved-progress.ts'
import { NOT_BEGUN, type StreamPosition } from '../../../../lib/queue-app/observing/streams/stream-positions.ts'
import { createMemoryDocuments } from '../../../support/memory-documents.ts'
import { turnIn } from '../turn-in.ts'

const READ: StreamPosition = { position: '1795576043549-0', counted: 12, gaps: [], sureUntil: 1_795_576_043_549 }
const TOLD: StreamPosition = { ...NOT_BEGUN, counted: 0 }

/** A server that has the queues whose names start with `kept`. It does not respond for `silent` ones, and refuses `refused` ones. */
function createServer(identity: string) {
  const silent = new Set<string>()
  const refused = new Set<string>()
  const asked: string[] = []
  const server = {
    identity, part: '', label: identity, partFor: () => server,
    async exists({ name }: { readonly name: string }) {
      asked.push(name)
      if (refused.has(name)) throw new Error('NOPERM')
      if (silent.has(name)) throw new Error('it does not answer')
      return name.startsWith('kept')
    },
    events: { stream: async () => null, isRefusal: (error: Error) => error.message === 'NOPERM' }
  } as unknown as ObservedServer
  return { server, silent, refused, asked }
}

/** A history that followed queues of a server. */
async function createHistory(followed: Readonly<Record<string, StreamPosition>>) {
  const documents = createMemoryDocuments()
  const progress = createSavedProgress(documents, turnIn(documents).fence)
  const of = createServer('redis://one')
  await progress.savePositions(Object.entries(followed).map(([name, position]) =>
    ({ queue: { taskName: name, name, prefix: 'bull', server: of.server }, position })))
  const told: string[] = []
  /** What a process with this source reports. */
  async function open({ server = of.server, prefix = 'bull', queues = 'all' as readonly string[] | 'all', label = null as string | null }) {
    const earlier = createEarlierQueues({
      sources: [{ server, prefix, label, queues }], progress,
      async tellGone(_server, known) {
        told.push(...[...known.keys()].map(({ taskName }) => taskName))
        return new Map([...known.keys()].map(queue => [queue, TOLD]))
      }
    })
    await earlier.load()
    const tell = async (...shown: string[]): Promise<string[]> => {
      await earlier.tell(taskName => shown.includes(taskName))
      return told.splice(0)
    }
    return { tell, earlier }
  }
  return { ...of, open }
}

t.test('a queue that is gone is reported once, also by later processes', async t => {
  const { open } = await createHistory({ emails: READ, unread: NOT_BEGUN, reported: TOLD, kept: READ, shown: READ })
  const first = await open({})
  t.same(await first.tell('shown'), ['emails'])
  t.same(await first.tell('shown'), [])
  t.same(await (await open({})).tell('shown'), [])
})

t.test('a queue that is not to be shown is not asked for', async t => {
  const { open, asked } = await createHistory({ emails: READ })
  for (const source of [{ prefix: 'other' }, { queues: ['invoices'] }, { server: createServer('redis://two').server }])
    t.same(await (await open(source)).tell(), [], JSON.stringify(Object.keys(source)))
  t.same(asked, [])
  t.same(await (await open({ label: 'eu' })).tell(), ['eu/emails'], 'with another label it is the same queue')
})

t.test('a server that does not respond is asked again later, and a queue that may not be read is not reported', async t => {
  const { open, silent, refused, asked } = await createHistory({ emails: READ, secret: READ })
  silent.add('emails')
  refused.add('secret')
  const { tell, earlier } = await open({})
  t.same(await tell(), [])
  silent.clear()
  refused.clear()
  const before = asked.length
  t.same(await tell(), [])
  t.equal(asked.length, before, 'not at once')
  const { now } = performance
  t.teardown(() => { performance.now = now })
  performance.now = () => now.call(performance) + 11_000
  t.same(await tell(), ['emails'])
  performance.now = now
  await earlier.load()
  t.same(await tell(), ['secret'], 'once it may be read')
})
