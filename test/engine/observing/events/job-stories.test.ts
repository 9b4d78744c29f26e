import t from 'tap'
import { createJobStories, isBefore } from '../../../../lib/engine/observing/events/job-stories.ts'
import { seededRandom } from '../../../support/seeded-random.ts'

const MAX_STORIES = 50

t.test('the first event of every unfinished job is known, in any order of events, even after old stories were forgotten', async t => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = seededRandom(seed)
    const stories = createJobStories(MAX_STORIES)
    /** By job, in the order of their last event. */
    const expected = new Map<string, { taskName: string; from: string }>()
    let at = 1_000_000
    for (let step = 0; step < 500; step++) {
      // Restoring a backup sets the stream back in time.
      at += random() < 0.02 ? -Math.floor(random() * 300) : Math.floor(random() * 3)
      const taskName = `q${Math.floor(random() * 3)}`
      const jobId = String(Math.floor(random() * 40))
      const event = random() < 0.4 ? ['completed', 'failed', 'removed'][Math.floor(random() * 3)]! : random() < 0.5 ? 'added' : 'active'
      stories.tell({ taskName, name: taskName }, { id: `${at}-${step}`, fields: { event, jobId } })
      const key = `${taskName}:${jobId}`
      const known = expected.get(key)
      expected.delete(key)
      if (event === 'added' || event === 'active') expected.set(key, known ?? { taskName, from: `${at - 1}-0` })
      if (expected.size > 1.1 * MAX_STORIES)
        for (const oldest of [...expected.keys()].slice(0, expected.size - MAX_STORIES)) expected.delete(oldest)
      if (random() >= 0.1) continue
      t.strictSame(new Map([...stories.openFrom()].sort()), firstOf([...expected.values()]), `seed ${seed}, step ${step}`)
    }
  }
})

function firstOf(open: ReadonlyArray<{ readonly taskName: string; readonly from: string }>): Map<string, string> {
  const first = new Map<string, string>()
  for (const { taskName, from } of open) {
    const known = first.get(taskName)
    if (known === undefined || isBefore(from, known)) first.set(taskName, from)
  }
  return new Map([...first].sort())
}

t.test('the wait of an execution lasts from when it could start until it started', t => {
  type Told = readonly [at: number, event: string, delay?: number]
  const cases: ReadonlyArray<readonly [what: string, events: readonly Told[], waitMs: number]> = [
    ['at once', [[100, 'added'], [100, 'waiting'], [130, 'active']], 30],
    ['delayed', [[100, 'added'], [100, 'delayed', 500], [510, 'waiting'], [530, 'active']], 30],
    ['delayed, and started when it was due', [[100, 'added'], [100, 'delayed', 500], [530, 'active']], 30],
    ['promoted before it was due', [[100, 'added'], [100, 'delayed', 5_000], [200, 'waiting'], [230, 'active']], 30],
    ['delayed until a time of long ago', [[100, 'added'], [100, 'delayed', 1], [120, 'waiting'], [130, 'active']], 30],
    ['retried', [[100, 'added'], [100, 'waiting'], [130, 'active'], [140, 'delayed', 900], [900, 'waiting'], [990, 'active']], 30]
  ]
  for (const [what, events, waitMs] of cases) {
    const stories = createJobStories()
    const queue = { taskName: 'q', name: 'q' }
    for (const [at, event, delay] of events)
      stories.tell(queue, { id: `${at}-0`, fields: { event, jobId: '1', ...delay !== undefined && { delay: String(delay) } } })
    t.equal(stories.tell(queue, { id: '1000-0', fields: { event: 'completed', jobId: '1' } })?.rebuild().waitMs, waitMs, what)
  }
  t.end()
})

t.test('the wait of a planned run that was retried later is not the time since its first run', t => {
  type Told = readonly [at: number, event: string, prev?: string]
  const cases: ReadonlyArray<readonly [what: string, events: readonly Told[], waitMs: number | null]> = [
    ['on Redis', [[90, 'added'], [90, 'delayed'], [100, 'waiting', 'delayed'], [130, 'active']], 30],
    ['on PostgreSQL, which tells no addition', [[100, 'waiting', 'delayed'], [130, 'active', 'waiting']], 30],
    ['started at once on PostgreSQL', [[130, 'active', 'waiting']], 30],
    ['retried by a person', [[5_000, 'waiting', 'failed'], [5_010, 'active']], null],
    ['failed, and its first start is not known', [[4_000, 'delayed'], [5_000, 'waiting', 'delayed'], [5_010, 'active']], null],
    ['retried at once, and its first start is not known', [[5_000, 'waiting', 'active'], [5_010, 'active']], null],
    ['lost with its worker, and its first start is not known', [[5_000, 'stalled'], [5_010, 'active']], null],
    ['added again', [[50, 'waiting', 'failed'], [90, 'added'], [100, 'waiting'], [130, 'active']], 30]
  ]
  for (const [what, events, waitMs] of cases) {
    const stories = createJobStories()
    const queue = { taskName: 'q', name: 'q' }
    const jobId = 'repeat:daily:100'
    for (const [at, event, prev] of events) {
      const fields = { event, jobId, ...prev !== undefined && { prev }, ...event === 'delayed' && { delay: '100' } }
      stories.tell(queue, { id: `${at}-0`, fields })
    }
    t.equal(stories.tell(queue, { id: '9000-0', fields: { event: 'completed', jobId } })?.rebuild().waitMs, waitMs, what)
  }
  t.end()
})

t.test('the attempts of an execution are its starts, without those that were lost with a worker or waited for children', t => {
  const cases: ReadonlyArray<readonly [what: string, events: readonly string[], attempt: number]> = [
    ['ran once', ['added', 'waiting', 'active'], 1],
    ['failed and ran again', ['added', 'waiting', 'active', 'waiting', 'active'], 2],
    ['failed and ran again later', ['added', 'waiting', 'active', 'delayed', 'waiting', 'active'], 2],
    ['lost with its worker, on Redis', ['added', 'waiting', 'active', 'waiting', 'stalled', 'active'], 1],
    ['lost with its worker, on PostgreSQL', ['added', 'waiting', 'active', 'stalled', 'active'], 1],
    ['failed, lost, and failed again', ['added', 'waiting', 'active', 'waiting', 'active', 'stalled', 'active', 'delayed', 'active'], 3],
    ['waited for children it added while it ran', ['added', 'waiting', 'active', 'waiting-children', 'waiting', 'active'], 1],
    ['waited for children before it started', ['added', 'waiting-children', 'waiting', 'active'], 1],
    ['removed while it waited to run again, and added again', ['added', 'waiting', 'active', 'delayed', 'added', 'waiting', 'active'], 1],
    ['lost, and its start is not known', ['stalled', 'active'], 1],
    ['not known to have started', [], 1]
  ]
  for (const [what, events, attempt] of cases) {
    const stories = createJobStories()
    const queue = { taskName: 'q', name: 'q' }
    for (const [index, event] of events.entries()) stories.tell(queue, { id: `${100 + index}-0`, fields: { event, jobId: '1' } })
    const execution = stories.tell(queue, { id: '1000-0', fields: { event: 'completed', jobId: '1' } })!.rebuild()
    t.equal(execution.attempt, attempt, what)
    t.match(execution.attempts, [{ attempt }], what)
  }
  t.end()
})
