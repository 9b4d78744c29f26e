import t from 'tap'
import { toVerdict, type Observed } from '../../../ui/src/format/verdict.ts'

const now = new Date(2026, 10, 20, 9, 30).getTime()
const since = new Date(2026, 10, 20, 3, 12).getTime()
const fine = { healthy: true, message: 'fine' }
const health: NonNullable<Observed['health']> = {
  healthy: true, status: 'healthy', timestamp: '2026-11-20T09:00:00.000Z', version: '1.0.0', uptime_ms: 1,
  components: { app: fine, broker: fine, backend: fine, scheduler: fine, workers: fine }
}
const stats: NonNullable<Observed['stats']> = {
  total_tasks: 10, success_rate: 90, failure_rate: 10, active_workers: 2, queue_size: 0, registered_tasks: 3,
  executions: { pending: 0, running: 0, success: 9, failed: 1 },
  schedules: { total: 1, enabled: 1, overdue: 0 }, throughput_per_minute: 1, duration_ms: null, wait_ms: null, oldest_pending_ms: null,
  history: { success: { kept: 9, oldest_at: null }, failed: { kept: 1, oldest_at: null }, pruned_before: null, retention: null }, generated_at: '2026-11-20T09:00:00.000Z'
}
const well: Observed = { health, stats, lastHour: { finished: 1204, failed: 5, capped: false }, failure: null, unhealthySince: null, figuresFrom: since, now }
const broken = (...names: Array<'broker' | 'backend'>): Observed['health'] =>
  ({
    ...health, healthy: false, status: 'unhealthy',
    components: { ...health.components, ...Object.fromEntries(names.map((name) => [name, { healthy: false, message: 'gone' }])) }
  })

t.test('the verdict is one line with the figures that support it', async (t) => {
  const cases: Array<[string, Partial<Observed>, string, string | null]> = [
    ['well', {}, 'All well · 1,204 executions in the last hour, 0.4 % failed', null],
    ['no failure', { lastHour: { finished: 1, failed: 0, capped: false } }, 'All well · 1 execution in the last hour, none failed', null],
    ['quiet', { lastHour: { finished: 0, failed: 0, capped: false } }, 'All well · nothing finished in the last hour', null],
    ['capped', { lastHour: { finished: 20_000, failed: 20, capped: true } }, 'All well · 20,000+ executions in the last hour, 0.1 % failed', null],
    ['failing', { lastHour: { finished: 1204, failed: 120, capped: false } }, 'Failing · 10.0 % of 1,204 executions in the last hour failed', null],
    ['not loaded', { stats: undefined, health: undefined }, 'Looking…', null],
    ['no workers', { stats: { ...stats, active_workers: 0, queue_size: 214, oldest_pending_ms: 180_000 } }, 'No workers are running', '214 executions wait, the oldest for 3 m. Start a process that calls queueApp.start().'],
    ['workers unknown', { stats: { ...stats, active_workers: null } }, 'All well · 1,204 executions in the last hour, 0.4 % failed', null],
    ['overdue', { stats: { ...stats, schedules: { total: 3, enabled: 3, overdue: 2 } } }, '2 schedules overdue', 'A due run has not been taken by any worker for over 30 seconds.']
  ]
  for (const [name, seen, headline, detail] of cases) {
    const verdict = toVerdict({ ...well, ...seen })
    t.equal(verdict.headline, headline, name)
    t.equal(verdict.detail, detail, name)
  }
})

t.test('an outage says since when, and that the figures are old', async (t) => {
  const stale = 'Figures below are from 03:12.'
  const failure = { status: 503, since }
  t.strictSame(toVerdict({ ...well, health: broken('broker'), failure, unhealthySince: { at: since, isExact: true } }),
    { tone: 'bad', headline: 'Broker out of reach since 03:12', detail: stale })
  t.equal(toVerdict({ ...well, health: broken('broker', 'backend'), failure, unhealthySince: { at: since, isExact: false } }).headline,
    'Broker and result backend out of reach at least since 03:12', 'a page opened during the outage does not know when it began')
  t.equal(toVerdict({ ...well, failure: { status: 0, since } }).headline, 'The dashboard\'s server cannot be reached since 03:12')
  t.equal(toVerdict({ ...well, health: broken('broker'), failure: { status: 0, since } }).headline, 'The dashboard\'s server cannot be reached since 03:12',
    'what the server said before it was gone is not news')
  t.equal(toVerdict({ ...well, failure: { status: 500, since }, figuresFrom: null }).headline, 'The dashboard\'s server cannot answer at least since 03:12')
  t.equal(toVerdict({ ...well, failure: { status: 401, since } }).headline, 'You are signed out')
})
