import t, { type Test } from 'tap'
import { createRegisteredTask, toTaskSettings, type RegisteredTask } from '../../../lib/queue-app/tasks/task.ts'
import { createTaskRegistry, CUT_OFF_AFTER_MS, type TaskRegistryDependencies } from '../../../lib/queue-app/tasks/task-registry.ts'
import type { DocumentStore } from '../../../lib/stores/documents/documents.ts'
import { createMemoryDocuments } from '../../support/memory-documents.ts'

const tasksNamed = (...names: string[]): RegisteredTask[] => names.map(name => createRegisteredTask(name, () => {}, {}))

function createRegistry(
  t: Test, documents: DocumentStore, workerId: string, own: readonly RegisteredTask[], others: Partial<TaskRegistryDependencies> = {}
) {
  return createTaskRegistry({
    documents, workerId, local: () => own, unwrittenSince: () => null, recordingProblem: () => null,
    onError: error => t.fail(error.message), ...others
  })
}

/** Records every call, and the bytes written and read. */
function watched(documents: DocumentStore) {
  const seen = { calls: [] as string[], bytes: 0 }
  const proxy = new Proxy(documents, { get: (target, method: keyof DocumentStore) => async (...parameters: unknown[]) => {
    seen.calls.push(`${method} ${String(parameters[0])}`)
    const answer = await (target[method] as (...of: unknown[]) => Promise<unknown>)(...parameters)
    seen.bytes += JSON.stringify([parameters, answer]).length
    return answer
  } })
  return { documents: proxy, seen }
}

t.test('recent() answers from memory and refreshes in the background', async t => {
  let at = 1_000_000
  const { documents, seen } = watched(createMemoryDocuments())
  const registry = createRegistry(t, documents, 'w', [], { now: () => at })
  const publish = (...names: string[]) => createRegistry(t, documents, 'other', tasksNamed(...names), { now: () => at }).publish()
  const recent = async () => [...(await registry.recent()).taskNames]
  const settled = () => new Promise(resolve => setImmediate(resolve))

  await publish('a')
  t.same(await recent(), ['a'])
  await publish('b')
  seen.calls.length = 0
  t.same(await recent(), ['a'])
  t.same(seen.calls, [], 'nothing is read within a second')
  at += 1_500
  t.same(await recent(), ['a'], 'the known answer')
  await settled()
  t.same(await recent(), ['a', 'b'], 'the refreshed answer')
  await publish('c')
  at += 10_000
  t.same(await recent(), ['a', 'b', 'c'], 'an answer older than ten seconds is not used')
})

t.test('a task that this process just registered is known at once, however fresh the last read is', async t => {
  const own = tasksNamed('a')
  const registry = createRegistry(t, createMemoryDocuments(), 'w', own, { now: () => 1_000_000 })
  t.same((await registry.tasks()).map(({ name }) => name), ['a'])
  own.push(...tasksNamed('b'))
  t.same((await registry.tasks()).map(({ name }) => name), ['a', 'b'])
  own.push(...tasksNamed('c'))
  t.same((await registry.recent()).taskNames, ['a', 'b', 'c'])
})

t.test('a heartbeat names the tasks whose worker reaches the broker, and counts the others', async t => {
  let at = 1_000_000
  const documents = createMemoryDocuments()
  const silentFor = new Map([['a', 0], ['b', CUT_OFF_AFTER_MS]])
  const registry = createRegistry(t, documents, 'w', tasksNamed('a', 'b'), { silentForMs: name => silentFor.get(name)!, now: () => at })
  const reader = createRegistry(t, documents, 'reader', [], { now: () => at })
  async function afterPublishing() {
    await registry.publish()
    at += 1_000
    const [process] = await reader.processes()
    return { tasks: process!.tasks, unreachable: process!.unreachable, workers: [...await reader.workersByTask()] }
  }
  t.same(await afterPublishing(), { tasks: ['a'], unreachable: 1, workers: [['a', 1]] })
  silentFor.set('a', CUT_OFF_AFTER_MS + 1)
  t.same(await afterPublishing(), { tasks: [], unreachable: 2, workers: [] })
  silentFor.set('a', 1).set('b', 1)
  t.same(await afterPublishing(), { tasks: ['a', 'b'], unreachable: 0, workers: [['a', 1], ['b', 1]] })
})

t.test('2,000 tasks of several processes are published and read in a few calls, and refreshed with a few bytes', async t => {
  let at = 1_000_000
  const { documents, seen } = watched(createMemoryDocuments())
  const tasks = tasksNamed(...Array.from({ length: 2_000 }, (_, index) => `task ${index}`))
  const processes = ['a', 'b', 'c', 'd'].map(id => createRegistry(t, documents, id, tasks, { now: () => at }))
  for (const [index, process] of processes.entries()) {
    seen.calls.length = 0
    await process.publish()
    const written = index === 0 ? ['putMany tasks', 'increment revisions'] : []
    const heartbeat = ['put task-lists', 'put processes', 'put task-concurrency', 'put worker-reports']
    t.same(seen.calls, ['getMany tasks', ...written, ...heartbeat])
  }

  const [reader] = processes
  t.equal((await reader!.tasks()).length, 2_000)
  t.equal((await reader!.workersByTask()).get('task 1999'), 4)
  at += 1_500
  await reader!.tasks()
  at += 1_500
  seen.calls.length = seen.bytes = 0
  t.equal((await reader!.tasks()).length, 2_000)
  t.equal((await reader!.workersByTask()).get('task 1999'), 4)
  t.same(seen.calls, ['counters revisions', 'list processes'])
  t.ok(seen.bytes < 2_000, `${seen.bytes} bytes`)
})

t.test('only one process writes that a task is still registered', async t => {
  let at = 1_000_000
  const documents = createMemoryDocuments()
  const processes = ['a', 'b', 'c'].map(id => createRegistry(t, documents, id, tasksNamed('task'), { now: () => at }))
  for (const process of processes) await process.publish()
  at += 60_000
  await processes[0]!.publish()
  at += 10_000
  await processes[1]!.publish()
  at += 1_500
  t.match(await processes[2]!.tasks(), [{ firstSeenAt: 1_000_000, lastSeenAt: 1_060_000 }])
})

t.test('changed settings of a task are read within a second', async t => {
  let at = 1_000_000
  const documents = createMemoryDocuments()
  const reader = createRegistry(t, documents, 'reader', [], { now: () => at })
  await createRegistry(t, documents, 'a', tasksNamed('task'), { now: () => at }).publish()
  for (let i = 0; i < 3; i++, at += 1_500) t.match(await reader.task('task'), { retries: 0 })
  await createRegistry(t, documents, 'b', [createRegisteredTask('task', () => {}, { retries: 3 })], { now: () => at }).publish()
  t.match(await reader.task('task'), { retries: 3 })
  t.equal(await reader.task('none'), undefined)
})

t.test('a process whose clock is two hours wrong registers its tasks like any other', async t => {
  const brokerNow = async () => 100_000_000
  for (const skew of [-7_200_000, 7_200_000]) {
    const documents = createMemoryDocuments()
    await createRegistry(t, documents, 'wrong', tasksNamed('task'), { now: () => 100_000_000 + skew, brokerNow }).publish()
    const reader = createRegistry(t, documents, 'right', [], { now: () => 100_000_000, brokerNow })
    t.same([...await reader.registeredTasks()], ['task'])
    t.match(await reader.tasks(), [{ firstSeenAt: 100_000_000, lastSeenAt: 100_000_000 }])
  }
})

t.test('a task not published for minutes is known but not registered', async t => {
  let at = 1_000_000
  const documents = createMemoryDocuments()
  await createRegistry(t, documents, 'gone', tasksNamed('old'), { now: () => at }).publish()
  at += 301_000
  const registry = createRegistry(t, documents, 'w', tasksNamed('own'), { now: () => at })
  t.same((await registry.tasks()).map(({ name }) => name), ['old', 'own'])
  t.same([...await registry.registeredTasks()], ['own'])
})

t.test('a task not published for a week is dropped, unlike one that still is', async t => {
  let at = 1_000_000
  const documents = createMemoryDocuments(() => at)
  await createRegistry(t, documents, 'old', tasksNamed('gone', 'kept'), { now: () => at }).publish()
  const reader = createRegistry(t, documents, 'reader', [], { now: () => at })
  const names = async () => (await reader.tasks()).map(({ name }) => name)
  for (let day = 1; day <= 8; day++) {
    at += 24 * 3_600_000
    await createRegistry(t, documents, 'new', tasksNamed('kept'), { now: () => at }).publish()
    t.same(await names(), day < 7 ? ['gone', 'kept'] : ['kept'], `day ${day}`)
  }
  t.equal(await reader.task('gone'), undefined)
})

t.test('a task that is only declared is known without a worker until a process registers it', async t => {
  let at = 1_000_000
  const documents = createMemoryDocuments(() => at)
  const declared = [{ name: 'task', settings: toTaskSettings({ retries: 3 }) }, { name: 'own', settings: toTaskSettings({ retries: 3 }) }]
  const web = createRegistry(t, documents, 'web', tasksNamed('own'), { declared, now: () => at })
  const reader = createRegistry(t, documents, 'reader', [], { now: () => at })
  await web.publish()
  t.match(await reader.task('task'), { retries: 3, firstSeenAt: 1_000_000 })
  t.same([...await reader.declaredTasks()], ['task'], 'its own task is not only declared')
  t.same([...await reader.registeredTasks()], ['own'])
  t.notOk((await reader.workersByTask()).has('task'))

  const worker = createRegistry(t, documents, 'worker', [createRegisteredTask('task', () => {}, { retries: 5 })], { now: () => at })
  await worker.publish()
  await web.publish()
  at += 1_500
  for (const registry of [reader, web]) {
    t.match(await registry.task('task'), { retries: 5 }, 'the settings of a process that runs it win')
    t.same([...await registry.registeredTasks()].sort(), ['own', 'task'])
  }

  at += 301_000
  await web.publish()
  for (const registry of [reader, web])
    t.match(
      await registry.task('task'), { retries: 3, firstSeenAt: 1_000_000 },
      'minutes after the worker left, the declaration applies again'
    )
  at += 8 * 24 * 3_600_000
  t.equal(await reader.task('task'), undefined)
})

t.test('two processes that declare a task differently each use their own declaration', async t => {
  const documents = createMemoryDocuments()
  const [one, other] = [1, 2].map(retries =>
    createRegistry(t, documents, `declares ${retries}`, [], { declared: [{ name: 'task', settings: toTaskSettings({ retries }) }] }))
  await one!.publish()
  await other!.publish()
  t.match(await one!.task('task'), { retries: 1 })
  t.match(await other!.task('task'), { retries: 2 })
})

t.test('the next heartbeat restores everything after the broker lost its data', async t => {
  const intervals = t.capture(globalThis, 'setInterval', (() => ({ unref() {} })) as never)
  let at = 1_000_000
  const documents = createMemoryDocuments()
  const registry = createRegistry(t, documents, 'w', tasksNamed('task'), { now: () => at })
  const reader = createRegistry(t, documents, 'reader', [], { now: () => at })
  await registry.start()
  const beat = intervals()[0]!.args[0] as () => void
  for (const collection of ['tasks', 'processes', 'task-lists'])
    for (const { id } of await documents.list(collection)) await documents.delete(collection, id)
  await documents.deleteCounter('revisions', 'tasks')
  t.same(await reader.tasks(), [])
  beat()
  await registry.publish()
  at += 1_500
  t.same((await reader.tasks()).map(({ name }) => name), ['task'])
  t.same([...await reader.workersByTask()], [['task', 1]])
})

t.test('publications requested during another are combined into one', async t => {
  const { documents, seen } = watched(createMemoryDocuments())
  const own: RegisteredTask[] = []
  const registry = createRegistry(t, documents, 'w', own)
  await Promise.all(Array.from({ length: 500 }, (_, index) => {
    own.push(...tasksNamed(`task ${index}`))
    return registry.publish()
  }))
  t.equal((await registry.tasks()).length, 500)
  t.ok(seen.calls.filter(call => call.startsWith('putMany')).length <= 2)
})

t.test('stop() during a publication leaves no process behind', async t => {
  const documents = createMemoryDocuments()
  const slow: DocumentStore = { ...documents, async put(...parameters) {
    await new Promise(resolve => setTimeout(resolve, 20))
    return documents.put(...parameters)
  } }
  const registry = createRegistry(t, slow, 'w', tasksNamed('task'))
  const published = registry.publish()
  await new Promise(resolve => setImmediate(resolve))
  await registry.stop()
  await published
  t.same([...await documents.list('processes'), ...await documents.list('worker-reports')], [])
})

t.test('a programming error is passed on, and a failing store rejects with BROKER_UNAVAILABLE', async t => {
  const failing = (error: Error): DocumentStore => ({ ...createMemoryDocuments(), async list() { throw error } })
  await t.rejects(createRegistry(t, failing(new TypeError('x is undefined')), 'w', []).tasks(), new TypeError('x is undefined'))
  await t.rejects(createRegistry(t, failing(new Error('ECONNRESET')), 'w', []).processes(), { code: 'BROKER_UNAVAILABLE' })
})
