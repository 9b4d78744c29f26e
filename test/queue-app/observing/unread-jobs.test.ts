import t from 'tap'
import { createMemoryDocuments } from '../../support/memory-documents.ts'
import { waitFor } from '../../support/wait-for.ts'
import { createFollowerOf, createObservedServer } from './observed-server.ts'

/** Whether the command only reads when a job finished. */
function isLook(command: string, parameters: ReadonlyArray<string | number>): boolean {
  return command === 'HMGET' && parameters[1] === 'finishedOn'
}

t.test('a server that dies between an event and the read of its job does not keep other servers from being recorded', async t => {
  for (const kept of [true, false]) {
    const [dying, well] = [createObservedServer('dying'), createObservedServer('well')]
    const follower = createFollowerOf([dying, well])
    dying.finish('1', { isKept: kept })
    dying.before = async (command, parameters) => {
      if (!isLook(command, parameters) && dying.reading() === 0) return
      dying.before = () => Promise.reject(new Error('Connection is closed.'))
      await dying.before(command, [])
    }
    well.finish('1')
    follower.start()
    t.teardown(follower.stop)
    await waitFor('the other server', async () => follower.history.length === 1)
    well.finish('2')
    await waitFor('the other server', async () => follower.history.length === 2)
    t.ok(follower.history.every(({ taskName }) => taskName === 'well'))
    dying.before = async () => {}
    dying.finish('2')
    await waitFor('the server that is back', async () => follower.history.length === 4)
    t.same(follower.history.map(({ executionId }) => executionId.split('@')[0]), ['well:1', 'well:2', 'dying:1', 'dying:2'])
    t.equal(follower.history[2]!.missing === undefined, kept, kept ? 'it was read whole' : 'it was rebuilt')
  }
})

t.test('finishes that wait when a process stops are recorded by the next one, once', async t => {
  const [dying, well] = [createObservedServer('dying'), createObservedServer('well')]
  const documents = createMemoryDocuments()
  const first = createFollowerOf([dying, well], { documents })
  dying.finish('1')
  dying.before = async (...command) => { if (isLook(...command)) throw new Error('Connection is closed.') }
  well.finish('1')
  first.start()
  await waitFor('the other server', async () => first.history.length === 1)
  await first.stop()
  dying.before = async () => {}
  well.finish('2')
  const second = createFollowerOf([dying, well], { documents, history: first.history })
  second.start()
  t.teardown(second.stop)
  await waitFor('the waiting finish', async () => second.history.length === 3)
  t.same(second.history.map(({ executionId }) => executionId.split('@')[0]).toSorted(), ['dying:1', 'well:1', 'well:2'])
})

t.test('jobs that are too large for one response are read in smaller batches, which then grow again', async t => {
  const server = createObservedServer('emails')
  const follower = createFollowerOf([server])
  let most = 0
  let limit = 4
  for (let job = 0; job < 100; job++) server.finish(String(job))
  server.before = async (command, parameters) => {
    most = Math.max(most, server.reading())
    if (command === 'HMGET' && !isLook(command, parameters) && server.reading() > limit) throw new Error('Command timed out')
  }
  follower.start()
  t.teardown(follower.stop)
  await waitFor('all jobs', async () => follower.history.length === 100)
  t.ok(follower.history.every(({ missing }) => missing === undefined), 'all were read whole')
  limit = Infinity
  most = 0
  for (let job = 100; job < 300; job++) server.finish(String(job))
  await waitFor('more jobs', async () => follower.history.length === 300)
  t.ok(most >= 40, `${most} at a time`)
  t.equal(follower.problem(), null)
})

t.test('a job that can never be read is recorded from its events, and reported', async t => {
  const server = createObservedServer('emails')
  const follower = createFollowerOf([server])
  for (const job of ['1', '2', '3']) server.finish(job)
  server.before = async (command, [key]) => {
    if (command === 'HSTRLEN' && key === 'bull:emails:2') throw new Error('Command timed out')
  }
  follower.start()
  t.teardown(follower.stop)
  await waitFor('all jobs', async () => follower.history.length === 3)
  t.same(follower.history.map(({ executionId, missing }) => [executionId.split('@')[0], missing === undefined]),
    [['emails:1', true], ['emails:2', false], ['emails:3', true]])
  const finishedOn = Number(server.jobs.get('2')!.finishedOn)
  t.match(follower.history[1], { executionId: `emails:2@${finishedOn}`, finishedAt: finishedOn, result: 1 },
    'under the id that the comparison with its queue finds')
  t.match(follower.problem(), /1 job could not be read .*the last one emails:2@\d+ \(Command timed out\)/)
  t.match(follower.errors.at(-1), /emails:2@/)
})

t.test('a job that can never be read is given up while others are gone, and readable ones are read in small batches', async t => {
  const server = createObservedServer('emails')
  const follower = createFollowerOf([server])
  for (let job = 0; job < 100; job++) server.finish(String(job), { isKept: job % 10 === 0 })
  let most = 0
  server.before = async (command, [key]) => {
    most = Math.max(most, server.reading())
    if (command === 'HSTRLEN' && key === 'bull:emails:40') throw new Error('Command timed out')
  }
  follower.start()
  t.teardown(follower.stop)
  await waitFor('all jobs', async () => follower.history.length === 100)
  t.equal(follower.history.filter(({ missing }) => missing === undefined).length, 9)
  t.match(follower.problem(), /1 job could not be read .*the last one emails:40@\d+ \(Command timed out\)/)
  server.before = async command => {
    most = Math.max(most, server.reading())
    if (command === 'HMGET' && server.reading() > 1) throw new Error('Command timed out')
  }
  most = 0
  for (let job = 100; job < 700; job++) server.finish(String(job), { isKept: job % 10 === 0 })
  await waitFor('more jobs', async () => follower.history.length === 700)
  t.equal(follower.history.filter(({ missing }) => missing === undefined).length, 69)
  t.ok(most <= 50, `${most} at a time`)
})

t.test('a job that its server refuses to show is recorded from its events at once', async t => {
  const server = createObservedServer('emails')
  const follower = createFollowerOf([server])
  for (let job = 0; job < 60; job++) server.finish(String(job))
  server.before = async command => {
    if (command === 'HSTRLEN') throw new Error('NOPERM this user has no permissions to run the \'hstrlen\' command')
  }
  follower.start()
  t.teardown(follower.stop)
  await waitFor('all jobs', async () => follower.history.length === 60)
  t.match(follower.problem(), /60 jobs could not be read .* \(NOPERM/)
})

t.test('an outage is no longer reported once the last queue of its server is gone', async t => {
  const [gone, well] = [createObservedServer('gone'), createObservedServer('well')]
  const servers = [gone, well]
  const follower = createFollowerOf(servers)
  let failures = 0
  gone.before = async () => {
    failures++
    throw new Error('Connection is closed.')
  }
  follower.start()
  t.teardown(follower.stop)
  await waitFor('the outage', async () => failures > 0)
  const clock = Date.now.bind(Date)
  Date.now = () => clock() + 120_000
  t.teardown(() => { Date.now = clock })
  t.match(follower.problem(), /reading events keeps failing/)
  servers.splice(servers.indexOf(gone), 1)
  well.finish('1')
  await waitFor('the other server', async () => follower.history.length === 1)
  t.equal(follower.problem(), null)
})

t.test('many unresponsive parts of a cluster delay the others no longer than one of them', async t => {
  const silent = Array.from({ length: 20 }, (_, index) => createObservedServer(`silent${index}`, 'cluster'))
  const well = createObservedServer('well', 'cluster')
  const asked = new Set<object>()
  for (const each of silent) {
    each.before = async command => {
      if (command !== 'PING') asked.add(each)
      throw new Error('Command timed out')
    }
  }
  well.finish('1')
  const follower = createFollowerOf([...silent, well])
  follower.start()
  t.teardown(follower.stop)
  await waitFor('the part that responds', async () => follower.history.length === 1)
  t.equal(asked.size, 1, 'the others are pinged at the same time')
})
