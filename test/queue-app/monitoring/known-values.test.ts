import t from 'tap'
import { createKnownValues, type KnownValuesDependencies } from '../../../lib/queue-app/monitoring/known-values.ts'

function setUp(changes: Partial<KnownValuesDependencies> = {}) {
  const asked: string[] = []
  const listed = (what: string, value: unknown) => async () => {
    asked.push(what)
    return value
  }
  const known = createKnownValues({
    taskNames: async () => ['a'],
    schedules: { list: listed('schedules', [{ scheduleId: 's' }]) } as unknown as KnownValuesDependencies['schedules'],
    registry: { processes: listed('workers', [{ workerId: 'w' }]) } as unknown as KnownValuesDependencies['registry'],
    backend: { failureGroups: listed('groups', { groups: [{ errorGroup: 'g' }] }) } as unknown as KnownValuesDependencies['backend'],
    now: () => 1,
    ...changes
  })
  return { known, asked }
}

t.test('only values for fields in the search are read, and only once for many keystrokes', async t => {
  const { known, asked } = setUp()
  t.same(await known('status:failed'), { taskNames: ['a'], scheduleIds: [], workerIds: [], errorGroups: [] })
  t.same(asked, [])
  t.same(await known('Schedule:'), { taskNames: ['a'], scheduleIds: ['s'], workerIds: [], errorGroups: [] })
  t.same(await known('worker:x group:y'), { taskNames: ['a'], scheduleIds: [], workerIds: ['w'], errorGroups: ['g'] })
  await known('worker:xy group:yz')
  t.same(asked, ['schedules', 'workers', 'groups'])
})

t.test('values that fail to load or never arrive are left out without delaying the others', async t => {
  const { known } = setUp({
    schedules: { list: () => Promise.reject(new Error('lost')) }, registry: { processes: () => new Promise(() => {}) }
  })
  t.same(await known('schedule: worker: group:'), { taskNames: ['a'], scheduleIds: [], workerIds: [], errorGroups: ['g'] })
})
