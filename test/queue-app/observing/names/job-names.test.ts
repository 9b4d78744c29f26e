import { mock } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import type { Engine } from '../../../../lib/engine/engine.ts'
import { createJobNames, MAX_GONE_NAMES, MAX_NAMES, MAX_NAMES_OF_QUEUE } from '../../../../lib/queue-app/observing/names/job-names.ts'
import { withJobNames } from '../../../../lib/queue-app/observing/names/named-engine.ts'
import { engineWithinScope } from '../../../../lib/queue-app/scope/scoped-engine.ts'
import { DAY_MS } from '../../../../lib/time/units.ts'
import { createMemoryDocuments } from '../../../support/memory-documents.ts'

const SAVE_EVERY_MS = 5_000

t.test('a name that is seen while others are being saved is saved as well', async t => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const documents = createMemoryDocuments()
  let isRefused = true
  let during = (): void => {}
  const names = createJobNames({
    list: documents.list,
    delete: documents.delete,
    async putMany(...parameters) {
      during()
      await nextTurn()
      if (isRefused) throw new Error('the store is full')
      await documents.putMany(...parameters)
    }
  }, true)
  const pass = async (): Promise<void> => {
    mock.timers.tick(SAVE_EVERY_MS)
    for (let turn = 0; turn < 20; turn++) await nextTurn()
  }
  const saved = async () => {
    const again = createJobNames(documents, true)
    await again.start()
    return again.tasksOf('mail').map(({ taskName }) => taskName)
  }
  await names.start()
  names.note([{ taskName: 'mail', jobName: 'welcome' }, { taskName: 'mail', jobName: 'invoice' }])
  await pass()
  t.same(await saved(), [])
  isRefused = false
  during = () => { names.note([{ taskName: 'mail', jobName: 'reminder' }]) }
  await pass()
  t.same(await saved(), ['mail:welcome', 'mail:invoice'], 'names whose save was refused are saved the next time')
  await pass()
  t.same(await saved(), ['mail:welcome', 'mail:invoice', 'mail:reminder'])
})

t.test('within a scope, jobs whose name becomes a hidden task while a page is read are not on it', async t => {
  const names = createJobNames(createMemoryDocuments(), true)
  const jobs = [['1', 'salary'], ['2', 'invoice'], ['3', 'invoice']].map(([id, jobName]) =>
    ({ executionId: `mail:${id}`, taskName: 'mail', jobName }))
  const engine = {
    async inFlight({ isWanted }: Parameters<Engine['inFlight']>[0]) {
      const executions = jobs.filter(job => isWanted!(job as never, null))
      return { executions, next: null, after: (count: number) => executions[count - 1]!.executionId, held: 3, scanned: 3, skipped: 0 }
    }
  } as unknown as Engine
  const scoped = engineWithinScope(withJobNames(engine, names), { sees: name => name !== 'mail:salary' })
  const { executions, after } = await scoped.inFlight({ taskNames: ['mail'], order: 'newest', limit: 10 })
  t.same(executions.map(({ executionId, taskName }) => [executionId, taskName]), [['mail:2', 'mail:invoice'], ['mail:3', 'mail:invoice']])
  t.same([1, 2].map(after), ['mail:2', 'mail:3'], 'the next page begins after the shown jobs')
})

t.test('a queue with one job name is not reported as having too many, even when the limit of names is reached', async t => {
  const names = createJobNames(createMemoryDocuments(), true)
  for (let queue = 0; queue < MAX_NAMES / MAX_NAMES_OF_QUEUE; queue++) {
    const ofQueue = Array.from({ length: MAX_NAMES_OF_QUEUE }, (_, kind) => ({ taskName: `q${queue}`, jobName: `kind ${kind}` }))
    names.note(ofQueue)
  }
  names.note([{ taskName: 'emails', jobName: 'send' }])
  t.equal(names.problem(), null)
  t.equal(names.taskOf('emails', 'send'), 'emails')
  names.note([{ taskName: 'emails', jobName: 'resend' }])
  t.match(names.problem(), /Jobs of 1 queue have more names than are shown.*\(emails\)/)
  t.equal(names.taskOf('emails', 'resend'), 'emails')
})

t.test('names of queues that are gone do not count towards the limit, even after a restart', async t => {
  const documents = createMemoryDocuments()
  const there = new Set<string>()
  const open = async () => {
    const names = createJobNames(documents, true, queueTask => there.has(queueTask))
    await names.start()
    return names
  }
  const names = await open()
  for (let queue = 0; queue <= MAX_NAMES / MAX_NAMES_OF_QUEUE; queue++) {
    there.add(`q${queue}`)
    names.note(Array.from({ length: MAX_NAMES_OF_QUEUE }, (_, kind) => ({ taskName: `q${queue}`, jobName: `kind ${kind}` })))
  }
  t.match(names.problem(), /Jobs of 1 queue have more names/)
  await names.stop()
  there.clear()
  there.add('emails')
  t.equal(names.problem(), null, 'a queue that is gone is not a problem')
  const restarted = await open()
  restarted.note(['send', 'resend'].map(jobName => ({ taskName: 'emails', jobName })))
  t.equal(restarted.taskOf('emails', 'resend'), 'emails:resend')
  t.equal(restarted.problem(), null)
  t.equal(restarted.taskOf('q0', 'kind 7'), 'q0:kind 7', 'a queue that returns has its names')
  await restarted.stop()
})

t.test('queues that come and go for years do not fill the memory or the store with job names', async t => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.now() })
  const clock = mock.method(performance, 'now', () => Date.now())
  t.teardown(() => {
    clock.mock.restore()
    mock.timers.reset()
  })
  const documents = createMemoryDocuments()
  const there = new Set<string>()
  const open = () => createJobNames(documents, true, queueTask => there.has(queueTask))
  const pass = async (ms: number): Promise<void> => {
    mock.timers.setTime(Date.now() + ms - SAVE_EVERY_MS)
    mock.timers.tick(SAVE_EVERY_MS)
    for (let turn = 0; turn < 3_000; turn++) await nextTurn()
  }
  const namesIn = async (): Promise<number> =>
    (await documents.list<{ names: string[] }>('observed-job-names')).reduce((sum, { value }) => sum + value.names.length, 0)
  let names = open()
  await names.start()
  const runs = 2 * MAX_GONE_NAMES / MAX_NAMES_OF_QUEUE
  for (let run = 0; run < runs; run++) {
    there.add(`run-${run}`)
    names.note(Array.from({ length: MAX_NAMES_OF_QUEUE }, (_, kind) => ({ taskName: `run-${run}`, jobName: `kind ${kind}` })))
    if (run % 40 !== 39) continue
    await pass(SAVE_EVERY_MS)
    there.clear()
    // After a restart, names are known only from the store, and the queues have not been found yet.
    if (run === 39 + runs / 2) {
      await names.stop()
      names = open()
      await names.start()
      await pass(SAVE_EVERY_MS)
      t.equal(names.tasksOf('run-0').length, MAX_NAMES_OF_QUEUE, 'nothing is forgotten before the queues can be found')
    }
    await pass(DAY_MS)
  }
  await pass(DAY_MS)
  t.ok(await namesIn() <= MAX_GONE_NAMES, `${await namesIn()} names are kept`)
  t.same([names.tasksOf('run-0').length, names.tasksOf(`run-${runs - 1}`).length], [0, MAX_NAMES_OF_QUEUE], 'the last ones stay known')
  await names.stop()
})
