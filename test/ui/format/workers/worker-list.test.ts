import t from 'tap'
import type { Queue, Worker } from '../../../../schemas/index.ts'
import { queueMark, toQueueList, toWorkerList, workerMark, workerName } from '../../../../ui/src/format/workers/worker-list.ts'

const worker = (of: Partial<Worker>): Worker => ({
  worker_id: 'host:1:ab', state: 'alive', healthy: true, problems: [], host: 'host', pid: 1, app: 'shop', version: '1.0.0',
  node_version: '22.0.0', started_at: '2026-11-20T09:00:00.000Z', last_seen_at: '2026-11-20T09:05:00.000Z',
  task_count: 1, running: 0, executions: [],
  tasks: [{ name: 'email:send', concurrency: 1, running: 0 }], memory_bytes: 1, clock_ahead_ms: 0, ...of
})
const queue = (of: Partial<Queue>): Queue => ({
  name: 'q', task_name: 'q', changes: 'all', state: 'running', pending: 0, running: 0, workers: 1, concurrency: 1, utilisation: 0,
  oldest_pending_ms: null, pause: null, limits: null, rate_limit: null, rate_limited_until: null, throughput_per_minute: 0, trend: [],
  ...of
})

t.test('workers that need attention come first', async t => {
  const workers = [
    worker({ worker_id: 'fine' }), worker({ worker_id: 'stopping', state: 'stopping' }), worker({ worker_id: 'late', healthy: false }),
    worker({ worker_id: 'refused', state: 'refused', healthy: false }), worker({ worker_id: 'silent', state: 'silent', healthy: false })
  ]
  t.same(toWorkerList(workers, '', null).map(each => each.worker_id), ['silent', 'refused', 'stopping', 'late', 'fine'])
})

t.test('values that a worker does not report sort last in both directions', async t => {
  const unknown = worker({ worker_id: 'unknown', memory_bytes: null })
  const workers = [unknown, worker({ worker_id: 'a' }), worker({ worker_id: 'b', memory_bytes: 2 })]
  const ids = (isDescending: boolean) => toWorkerList(workers, '', { column: 'memory', isDescending }).map(each => each.worker_id)
  t.same(ids(false), ['a', 'b', 'unknown'])
  t.same(ids(true), ['b', 'a', 'unknown'])
})

t.test('workers are found by host, id, application and task, queues by task', async t => {
  const workers = [worker({ worker_id: 'one' }), worker({ worker_id: 'two', host: 'Other', app: null, tasks: [] })]
  const found = (find: string) => toWorkerList(workers, find, null).map(each => each.worker_id)
  t.same([found('HOST'), found('other'), found('SHOP'), found(' email '), found('two'), found('none')], [['one'], ['two'], ['one'], ['one'],
    ['two'], []])
  const queues = [queue({ task_name: 'b:c', name: 'b%3ac' }), queue({ task_name: 'a', pending: 2 })]
  t.same(toQueueList(queues, '%3A', null).map(each => each.task_name), ['b:c'])
  t.same(toQueueList(queues, '', { column: 'pending', isDescending: true }).map(each => each.task_name), ['a', 'b:c'])
})

t.test('the name of a worker is its id if it does not report its host', async t => {
  t.equal(workerName(worker({})), 'host · 1')
  t.equal(workerName(worker({ host: null })), 'host:1:ab')
})

t.test('only live workers without a problem, and running queues with a worker, are marked as healthy', async t => {
  t.equal(workerMark(worker({})).mark, 'success')
  const others = [worker({ healthy: false }), ...(['silent', 'refused', 'stopping'] as const).map(state => worker({ state }))]
  t.same(others.map(each => workerMark(each)), [
    { mark: 'warning', word: 'Alive' }, { mark: 'failed', word: 'Silent' }, { mark: 'failed', word: 'Refused' },
    { mark: 'pending', word: 'Stopping' }
  ])
  const queues = [{}, { workers: 0 }, { state: 'paused' as const, workers: 0 }]
  t.same(queues.map(of => queueMark(queue(of)).word), ['Running', 'No worker', 'Paused'])
})
