import t from 'tap'
import type { Task } from '../../../../schemas/index.ts'
import { countTasks, prefixOf, toTaskGroups, toTaskList } from '../../../../ui/src/format/tasks/task-list.ts'

const task = (name: string, { pending = 0, success = 0, failed = 0, workers = 1, description = null as string | null } = {}): Task => ({
  name, type: 'io', description, queue: name, part_of: null, retries: 0, retry_delay: 0,
  backoff: { type: 'fixed', delay_ms: 0, max_delay_ms: 0, jitter: 0 }, rate_limit: null, rate_limited_until: null, timeout_ms: null,
  workers, schedules: 0, executions: { pending, running: 0, success, failed },
  success_rate: (success / Math.max(1, success + failed)) * 100,
  duration_ms: null, last_execution: null
})
const TASKS = [
  task('billing:charge', { success: 90, failed: 10 }),
  task('billing:reconcile', { pending: 7, success: 1 }),
  task('mail.send', { pending: 40, success: 50, failed: 50, description: 'Sends one email about Billing' }),
  task('sweep', { workers: 0 })
]
const names = (listing: Partial<Parameters<typeof toTaskList>[1]>) =>
  toTaskList(TASKS, { find: '', sorting: null, isGrouped: false, ...listing }).map(({ name }) => name)

t.test('tasks are found by name or description, ignoring case', async t => {
  t.strictSame(names({ find: ' BILLING' }), ['billing:charge', 'billing:reconcile', 'mail.send'])
  t.strictSame(names({ find: 'none such' }), [])
})

t.test('the most failing tasks come first, and a task without finished executions is not failing', async t => {
  t.strictSame(
    names({ sorting: { column: 'success', isDescending: false } }), ['mail.send', 'billing:charge', 'billing:reconcile', 'sweep']
  )
  t.strictSame(
    names({ sorting: { column: 'backlog', isDescending: true } }), ['mail.send', 'billing:reconcile', 'billing:charge', 'sweep']
  )
})

t.test("tasks are grouped by prefix, in the order of each group's first task", async t => {
  t.strictSame(TASKS.map(prefixOf), ['billing:', 'billing:', 'mail.', null])
  t.equal(prefixOf({ name: 'ends:', part_of: null }), null)
  t.strictSame(
    names({ sorting: { column: 'success', isDescending: true }, isGrouped: true }),
    ['billing:reconcile', 'billing:charge', 'mail.send', 'sweep']
  )
  t.strictSame([...toTaskGroups(TASKS).values()], [
    { name: 'billing:*', tasks: 2, pending: 7, withoutWorker: 0 }, { name: 'mail.*', tasks: 1, pending: 40, withoutWorker: 0 },
    { name: 'Without a prefix', tasks: 1, pending: 0, withoutWorker: 1 }
  ])
})

t.test('job names are listed under the task of their queue in any order, and are counted separately from tasks', t => {
  const part = (name: string, figures: Parameters<typeof task>[1]): Task => ({ ...task(name, figures), type: 'external', part_of: 'mail' })
  const others = [
    task('audit', { success: 5 }), task('mail', { success: 30 }), part('mail:invoice', { success: 20 }),
    part('mail:welcome', { success: 10 }), task('zip', { success: 99 })
  ]
  const listed = (listing: Partial<Parameters<typeof toTaskList>[1]>) =>
    toTaskList(others, { find: '', sorting: null, isGrouped: false, ...listing }).map(({ name }) => name)
  t.strictSame(listed({ sorting: { column: 'finished', isDescending: true } }), ['zip', 'mail', 'mail:invoice', 'mail:welcome', 'audit'])
  t.strictSame(listed({ sorting: { column: 'name', isDescending: true } }), ['zip', 'mail', 'mail:welcome', 'mail:invoice', 'audit'])
  t.strictSame(listed({ find: 'invoice' }), ['mail:invoice'])
  t.strictSame(listed({ isGrouped: true }), ['audit', 'mail', 'mail:invoice', 'mail:welcome', 'zip'])
  t.strictSame(countTasks(others), { tasks: 3, jobNames: 2 })
  t.strictSame(countTasks(others.slice(2)), { tasks: 3, jobNames: 0 }, 'even for readers who may not see the queue')
  t.strictSame([...toTaskGroups(others).values()].map(({ tasks }) => tasks), [3])
  t.end()
})
