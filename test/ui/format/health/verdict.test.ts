import t from 'tap'
import type { FailingSpan } from '../../../../ui/src/format/failures/failing-span.ts'
import { toVerdict, type Observed, type Verdict } from '../../../../ui/src/format/health/verdict.ts'

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
  history: { success: { kept: 9, oldest_at: null }, failed: { kept: 1, oldest_at: null }, pruned_before: null, retention: null },
  generated_at: '2026-11-20T09:00:00.000Z'
}
const hourOf = (finished: number, failed: number): Observed['lastHour'] => ({
  state: 'known', value: { finished, failed, failing: null }, at: now - 2_000
})
const QUEUES_PAUSED = 'Nothing starts there until someone resumes them, or until the pause ends: see Workers.'
const calm = '1,204 executions in the last hour, 0.4 % failed'
const none = { rising: 0, fresh: 0, regressed: 0, isCut: false, href: '/failures', cause: null }
const well: Observed = {
  health, stats, lastHour: hourOf(1204, 5), groups: { state: 'known', value: none, at: now - 2_000 }, forbidden: [], failure: null,
  queues: { state: 'known', value: { paused: { queues: 0, waiting: 0 }, withoutWorker: [] }, at: now - 2_000 },
  unhealthySince: null, figuresFrom: since, answeredAt: now - 2_000, pausedSince: null, now
}
const paused = (queues: number, waiting: number) => ({ paused: { queues, waiting }, withoutWorker: [] })
const broken = (...names: Array<'broker' | 'backend'>): Observed['health'] =>
  ({
    ...health, healthy: false, status: 'unhealthy',
    components: {
      ...health.components, ...Object.fromEntries(names.map(name => [name, { healthy: false, message: 'cannot be reached' }]))
    }
  })

t.test('the verdict is one line with the figures that support it', async t => {
  const cases: Array<[string, Partial<Observed>, string, string | null]> = [
    ['well', {}, 'All well · 1,204 executions in the last hour, 0.4 % failed', null],
    ['no failure', { lastHour: hourOf(1, 0) }, 'All well · 1 execution in the last hour, none failed', null],
    ['quiet', { lastHour: hourOf(0, 0) }, 'All well · nothing finished in the last hour', null],
    ['failing', { lastHour: hourOf(1204, 120) }, 'Failing · 10.0 % of 1,204 executions in the last hour failed', null],
    ['not loaded', { stats: undefined, health: undefined }, 'Looking…', null],
    [
      'no workers', { stats: { ...stats, active_workers: 0, queue_size: 214, oldest_pending_ms: 180_000 } },
      `No workers are running · ${calm}`, '214 executions wait, the oldest for 3 m. Start a process that calls queueApp.start().'
    ],
    [
      'overdue', { stats: { ...stats, schedules: { total: 3, enabled: 3, overdue: 2 } } }, `2 schedules overdue · ${calm}`,
      'No worker has taken a due run for over 30 seconds.'
    ],
    ['a queue that is only busy', { stats: { ...stats, queue_size: 5, oldest_pending_ms: 899_000 } }, `All well · ${calm}`, null],
    [
      'a queue that stands still', { stats: { ...stats, queue_size: 5, oldest_pending_ms: 2_040_000 } },
      `An execution has waited for 34 m · ${calm}`, 'It is due, and no worker has taken it: see the queues under Workers.'
    ]
  ]
  for (const [name, seen, headline, detail] of cases) {
    const verdict = toVerdict({ ...well, ...seen })
    t.equal(lineOf(verdict), headline, name)
    t.equal(verdict.detail, detail, name)
  }
})

t.test('an outage shows when it began, and that the figures are old', async t => {
  const stale = 'Figures below are from 03:12.'
  const failure = { status: 503, message: 'A store refuses', since }
  t.strictSame(toVerdict({ ...well, health: broken('broker'), failure, unhealthySince: since }),
    { tone: 'bad', headline: 'Broker unreachable since 03:12', clauses: [], detail: stale })
  t.equal(toVerdict({ ...well, health: broken('broker', 'backend'), failure, unhealthySince: null }).headline,
    'Broker and result backend unreachable', 'a page opened during the outage does not know when it began')
  t.equal(toVerdict({ ...well, failure: { ...failure, status: 0 } }).headline, 'The dashboard\'s server cannot be reached since 03:12')
  t.equal(toVerdict({
    ...well, health: broken('broker'), failure: { ...failure, status: 0 }
  }).headline, 'The dashboard\'s server cannot be reached since 03:12',
  "the server's earlier response no longer counts")
  t.equal(
    toVerdict({ ...well, failure: { ...failure, status: 500, since: null } }).headline, 'The dashboard\'s server cannot answer'
  )
  t.strictSame(toVerdict({ ...well, failure }), {
    tone: 'bad', headline: 'The dashboard\'s server cannot answer since 03:12', clauses: [], detail: `A store refuses. ${stale}`
  })
  t.equal(toVerdict({ ...well, failure: { ...failure, status: 401 } }).headline, 'You are signed out')
})

t.test('an unknown state is never called healthy', async t => {
  const stale = { state: 'stale', value: { finished: 1204, failed: 5, failing: null }, at: since, since, message: 'Gone' } as const
  const cases: Array<[string, Partial<Observed>, Verdict['tone'], string, string | null]> = [
    ['the last hour is on its way', { lastHour: { state: 'unknown' } }, 'unknown', 'Looking…', null],
    ['failure groups are on their way', { groups: { state: 'unknown' } }, 'unknown', 'Looking…', null],
    ['nothing counted', { lastHour: { state: 'unknown', reason: 'Not counted yet.' } }, 'unknown', 'Health unknown', 'Not counted yet.'],
    [
      'workers are not known', { stats: { ...stats, active_workers: null } }, 'unknown', 'Health unknown',
      'The number of running workers is unknown.'
    ],
    [
      'too many failure groups', { groups: { state: 'known', value: { ...none, isCut: true }, at: now } }, 'unknown',
      'Health unknown', 'There are too many failure groups to look at all of them.'
    ],
    [
      'the last hour is from before the tab slept',
      { lastHour: { state: 'known', value: { finished: 1204, failed: 5, failing: null }, at: since } },
      'unknown', 'All was well at 03:12', 'Retrying…'
    ],
    [
      'failure groups are from before the tab slept', { groups: { state: 'known', value: none, at: since } }, 'unknown',
      'All was well at 03:12', 'Retrying…'
    ],
    [
      'queues are from before the tab slept', { queues: { state: 'known', value: paused(0, 0), at: since } }, 'unknown',
      'All was well at 03:12', 'Retrying…'
    ],
    [
      'failing before the tab slept', { lastHour: { state: 'known', value: { finished: 100, failed: 50, failing: null }, at: since } },
      'bad', 'Failing · 50.0 % of 100 executions in the last hour failed', 'As of 03:12. Retrying…'
    ],
    [
      'the last hour may not be seen', { lastHour: { state: 'forbidden' } }, 'unknown', 'No problems in what you may see',
      'No access: what finished.'
    ],
    [
      'failure groups may not be seen', { groups: { state: 'forbidden' } }, 'unknown',
      'No problems in what you may see · 1,204 executions in the last hour, 0.4 % failed',
      'No access: failure groups.'
    ],
    [
      'health may not be seen', { health: undefined, forbidden: ['health'] }, 'unknown',
      'No problems in what you may see · 1,204 executions in the last hour, 0.4 % failed',
      'No access: health.'
    ],
    [
      'the last hour is old', { lastHour: stale }, 'unknown', 'Health unknown since 03:12',
      'Finished executions of the last hour could not be loaded: Gone'
    ],
    [
      'old, and failing then', { lastHour: { ...stale, value: { finished: 100, failed: 50, failing: null } } }, 'bad',
      'Failing · 50.0 % of 100 executions in the last hour failed', 'As of 03:12; newer counts cannot be read.'
    ],
    [
      'failure groups are old', { groups: { state: 'stale', value: null, at: 0, since, message: 'Gone' } }, 'unknown',
      'Health unknown since 03:12', 'Failure groups could not be loaded: Gone'
    ],
    [
      'failure groups were never there', { groups: { state: 'stale', value: null, at: 0, since: null, message: 'Gone' } }, 'unknown',
      'Health unknown', 'Failure groups could not be loaded: Gone'
    ],
    [
      'queues are paused while executions wait', { queues: { state: 'known', value: paused(2, 40), at: now } }, 'warn',
      '2 queues are paused, and 40 executions wait · 1,204 executions in the last hour, 0.4 % failed', QUEUES_PAUSED
    ],
    [
      'paused queues as they were', {
        queues: { state: 'stale', value: paused(1, 1), at: since, since, message: 'Gone' }
      }, 'warn', '1 queue is paused, and 1 execution waits · 1,204 executions in the last hour, 0.4 % failed',
      `${QUEUES_PAUSED} As of 03:12; newer counts cannot be read.`
    ],
    [
      'queues are not known', { queues: { state: 'stale', value: null, at: 0, since: null, message: 'Gone' } }, 'unknown',
      'Health unknown', 'Queues could not be loaded: Gone'
    ],
    ['queues are not loaded', { queues: { state: 'unknown' } }, 'unknown', 'Looking…', null],
    [
      'queues may not be seen', { queues: { state: 'forbidden' } }, 'unknown',
      'No problems in what you may see · 1,204 executions in the last hour, 0.4 % failed',
      'No access: queues.'
    ],
    ['updates are paused', { pausedSince: since }, 'unknown', 'All was well at 03:12', 'Updates are paused.'],
    ['nothing came for a while', { answeredAt: since }, 'unknown', 'All was well at 03:12', 'Retrying…'],
    [
      'an app without tasks', { stats: { ...stats, active_workers: 0, registered_tasks: 0 } }, 'unknown', 'No task is registered yet',
      'Register one in a process of the queue app; the page Tasks shows how.'
    ],
    [
      'known trouble comes first',
      { lastHour: { state: 'forbidden' }, stats: { ...stats, schedules: { total: 3, enabled: 3, overdue: 1 } } }, 'warn',
      '1 schedule overdue', 'No worker has taken a due run for over 30 seconds.'
    ]
  ]
  for (const [name, seen, tone, line, detail] of cases) {
    const verdict = toVerdict({ ...well, ...seen })
    t.strictSame([verdict.tone, lineOf(verdict), verdict.detail], [tone, line, detail], name)
  }
})

t.test('a new, rising or regressed failure group replaces "All well" and links to its failures', async t => {
  const hour = { text: '1,204 executions in the last hour, 0.4 % failed' }
  const { href } = none
  for (const [name, counts, headline, clauses] of [
    ['one is new', { fresh: 1 }, '1 new failure group', [hour]],
    ['some are new', { fresh: 3 }, '3 new failure groups', [hour]],
    ['one rises', { rising: 1 }, '1 failure group rising', [hour]],
    ['one failed again', { regressed: 1 }, '1 resolved failure group failed again', [hour]],
    ['both', { rising: 2, fresh: 1 }, '2 failure groups rising', [{ text: '1 new failure group', href }, hour]]
  ] as const) {
    const groups = { state: 'known', value: { ...none, ...counts }, at: now } as const
    t.strictSame(toVerdict({ ...well, groups }), { tone: 'warn', headline, href, clauses, detail: null }, name)
  }
})

t.test('executions that wait for a task without a worker are not "All well", however short they wait', async t => {
  const hour = { text: calm }
  const withoutWorker = (...tasks: string[]): Partial<Observed> => ({
    queues: { state: 'known', value: { paused: { queues: 0, waiting: 0 }, withoutWorker: tasks }, at: now },
    stats: { ...stats, queue_size: 40, oldest_pending_ms: 6_000 }
  })
  const detail = 'Start a process that registers what has no worker: see the queues under Workers.'
  const href = '/workers'
  t.strictSame(toVerdict({ ...well, ...withoutWorker('reports/daily') }), {
    tone: 'warn', headline: 'Executions of reports/daily are waiting, and no worker handles it', href, clauses: [hour], detail
  })
  t.match(toVerdict({ ...well, ...withoutWorker('a', 'b') }), { headline: /^Executions of 2 tasks are waiting, .*handles them$/, href })
  const long = { ...withoutWorker('a'), stats: { ...stats, oldest_pending_ms: 2_040_000 } }
  t.equal(
    lineOf(toVerdict({ ...well, ...long })), `Executions of a are waiting, and no worker handles it · ${calm}`, 'it is mentioned once'
  )
  const idle = { ...withoutWorker('a'), stats: { ...stats, active_workers: 0, queue_size: 40 } }
  t.equal(lineOf(toVerdict({ ...well, ...idle })), `No workers are running · ${calm}`)
})

t.test('an incident is one line, most serious part first, with links to its rows', async t => {
  const span = { since, isExact: true, until: null }
  const lastHour = (failing: FailingSpan | null): Partial<Observed> =>
    ({ lastHour: { state: 'known', value: { finished: 100, failed: 12, failing }, at: now } })
  const cause = { text: 'mostly TimeoutError in billing:*', href: '/failures?group=abc' }
  const groups: Observed['groups'] = { state: 'known', value: { ...none, fresh: 2, cause }, at: now }
  const overdue = { stats: { ...stats, schedules: { total: 3, enabled: 3, overdue: 1 } } }
  const idle = { stats: { ...stats, active_workers: 0, queue_size: 1 } }
  const failed = '12.0 % of 100 executions in the last hour failed'
  const cases: ReadonlyArray<readonly [string, Partial<Observed>, Verdict['tone'], string]> = [
    ['failing', { ...lastHour(span) }, 'bad', `Failing since 03:12 · ${failed}`],
    ['failing for longer than is known', { ...lastHour({ ...span, isExact: false }) }, 'bad', `Failing at least since 03:12 · ${failed}`],
    ['it ended', { ...lastHour({ ...span, until: since + 60_000 }) }, 'warn', `Failures ended at 03:13 · ${failed}`],
    ['with its cause', { ...lastHour(span), groups }, 'bad', `Failing since 03:12 · ${failed} · ${cause.text} · 2 new failure groups`],
    ['and schedules', { ...lastHour(span), ...overdue }, 'bad', `Failing since 03:12 · ${failed} · 1 schedule overdue`],
    ['without workers', { ...lastHour(span), ...idle }, 'bad', `No workers are running · failing since 03:12 · ${failed}`],
    ['no failing hour needs no cause', { groups: { ...groups, value: { ...none, cause } } }, 'good', `All well · ${calm}`]
  ]
  for (const [name, seen, tone, line] of cases) {
    const verdict = toVerdict({ ...well, ...seen })
    t.strictSame([verdict.tone, lineOf(verdict)], [tone, line], name)
  }
  t.strictSame(toVerdict({ ...well, ...lastHour(span), ...overdue, groups }).clauses, [
    { text: failed, href: '/executions?status=failed&range=1h' }, cause, { text: '1 schedule overdue', href: '/schedules?show=overdue' },
    { text: '2 new failure groups', href: '/failures' }
  ])
})

t.test('an outage is named after what the server reports about its stores', async t => {
  const says = (
    components: Partial<NonNullable<Observed['health']>['components']>, status: 'unhealthy' | 'degraded' = 'unhealthy'
  ): Verdict =>
    toVerdict({
      ...well, unhealthySince: since, figuresFrom: null,
      health: { ...health, status, components: { ...health.components, ...components } }
    })
  const unhealthy = (message: string) => ({ healthy: false, message })
  const refusal = 'reachable, but it refuses writes: its disk is full'
  t.strictSame(says({ broker: unhealthy(refusal) }), {
    tone: 'bad', headline: 'Broker refusing writes since 03:12', clauses: [], detail: 'Reachable, but it refuses writes: its disk is full.'
  })
  t.equal(
    says({ broker: unhealthy(refusal), backend: unhealthy(refusal) }).headline, 'Broker and result backend refusing writes since 03:12'
  )
  t.equal(
    says({ broker: unhealthy('cannot be reached'), backend: unhealthy(refusal) }).headline, 'Broker unreachable since 03:12',
    'the most serious first'
  )
  const readOnly = unhealthy('reachable, but it is read-only')
  t.equal(says({ broker: readOnly, backend: readOnly }).headline, 'Broker and result backend read-only since 03:12')
  t.equal(
    says({ backend: unhealthy('reachable, but it does not answer writes') }).headline, 'Result backend not answering writes since 03:12'
  )
  t.strictSame(
    says({ backend: unhealthy('40 finished executions have been waiting to be written since 2026-11-20T08:00:00.000Z') }, 'degraded'),
    {
      tone: 'warn', headline: 'Needs attention', clauses: [{ text: calm }],
      detail: `40 finished executions have been waiting to be written since ${clockOf('2026-11-20T08:00:00.000Z')}`
    },
    'a backend that responds is not called unreachable')
  const notAsked = unhealthy('unknown: the queue app is not started')
  t.equal(says({ app: unhealthy('not started'), broker: notAsked, backend: notAsked }).headline, 'The queue app is not running since 03:12')
  t.match(says({ broker: unhealthy('reachable, but it refuses: NOPERM no permissions') }), {
    tone: 'bad', headline: /^Broker refusing requests since/, detail: /NOPERM/
  })
  t.match(says({ backend: unhealthy('its database ended, and its data in memory is gone') }).headline, /^Result backend lost since/)
  t.match(says({ broker: unhealthy('something that this page has no words for') }), {
    tone: 'bad', headline: /^Broker not working since/, detail: 'Something that this page has no words for.'
  })
})

function clockOf(instant: string): string {
  return new Date(instant).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
}

function lineOf({ headline, clauses }: Verdict): string {
  return [headline, ...clauses.map(({ text }) => text)].join(' · ')
}
