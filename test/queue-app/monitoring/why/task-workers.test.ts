import t from 'tap'
import { LATE_AFTER_MS, workersOfTask } from '../../../../lib/queue-app/monitoring/why/task-workers.ts'
import type { KnownWorker, WorkerReport } from '../../../../lib/queue-app/processes/worker-reports.ts'

const NOW = Date.UTC(2026, 10, 20, 9)

type Changes = Partial<KnownWorker> & { readonly concurrency?: number; readonly seenAt?: number }

function worker(workerId: string, changes: Changes = {}): KnownWorker {
  const { concurrency = 2, seenAt = NOW - 1_000, ...rest } = changes
  const beat = {
    workerId, startedAt: 0, tasks: ['other', 'a'], unreachable: 0, unwrittenSince: null, recordingProblem: null, isStopping: false
  }
  const report: WorkerReport = {
    ...beat, host: 'h', pid: 1, version: '1', nodeVersion: '22', seenAt, memoryBytes: 1, concurrencies: [9, concurrency], running: 0,
    runningOf: [], runs: []
  }
  return { ...beat, report, isSilent: false, ...rest }
}

const running = (...counts: ReadonlyArray<readonly [string, number]>) => ({
  at: NOW, active: { total: 0, byWorker: new Map(counts), isAll: true }
})

t.test('processes with a task are counted by whether they take executions', async t => {
  const of = (...workers: KnownWorker[]) => workersOfTask(workers, 'a', running(['w-1', 1], ['gone', 5]))
  t.same(of(), { taking: 0, stopping: 0, silent: 0, refused: 0, concurrency: 0, free: 0 })
  t.match(of(worker('w-1'), worker('w-2', { concurrency: 3 })), { taking: 2, concurrency: 5, free: 4 }, 'a dead process holds no slot')
  t.match(of(worker('w-1', { tasks: ['other'], report: null })), { taking: 0 }, 'another task')
  t.match(of(worker('w-1', { isSilent: true })), { taking: 0, silent: 1, concurrency: 0, free: 0 })
  t.match(of(worker('w-1', { seenAt: NOW - LATE_AFTER_MS })), { taking: 1, silent: 0 })
  t.match(of(worker('w-1', { seenAt: NOW - LATE_AFTER_MS - 1 })), { taking: 0, silent: 1 }, 'it has not reported for a long time')
  t.match(of(worker('w-1', { isStopping: true }), worker('w-2', { refusal: 'no right' })), { taking: 0, stopping: 1, refused: 1 })
  t.match(of(worker('w-1', { report: null })), { taking: 1, concurrency: null, free: null }, 'an earlier version')
  t.match(of(worker('w-1', { concurrency: 1 }), worker('w-2', { report: null })), { taking: 2, concurrency: null, free: null })
})

t.test('a process that runs more than its concurrency has no negative free slots, and too many to count are unknown', async t => {
  const busy = [worker('w-1', { concurrency: 1 }), worker('w-2', { concurrency: 1 })]
  t.match(workersOfTask(busy, 'a', running(['w-1', 3])), { free: 1 })
  const tooMany = { total: 9_999, byWorker: new Map<string, number>(), isAll: false }
  t.match(workersOfTask(busy, 'a', { at: NOW, active: tooMany }), { free: null, concurrency: 2 })
})
