import { useMemo } from 'react'
import { PageLink } from '../elements/page-link.tsx'
import type { Queue } from '../../../../schemas/index.ts'
import type { Sorting } from '../../format/lists/sorting.ts'
import { rateLimitTitle, rateLimitWords } from '../../format/tasks/policy.ts'
import { formatCompact, formatCount, formatPace, formatRate } from '../../format/stats/number.ts'
import { formatDuration } from '../../format/time/duration.ts'
import { queueMark } from '../../format/workers/worker-list.ts'
import { Moment } from '../elements/moment.tsx'
import { StatusMark } from '../elements/status-mark.tsx'
import { Unknown } from '../elements/unknown.tsx'
import { DataGrid } from '../grid/data-grid.tsx'
import type { GridColumn } from '../grid/grid-column.ts'
import { TrendBars } from '../stats/trend-bars.tsx'
import { workerTexts } from '../../texts/workers.ts'

interface Props {
  readonly queues: readonly Queue[]
  /** The page of its task. */
  readonly href: (queue: Queue) => string
  readonly sorting: Sorting | null
  readonly sortHref: (sorting: Sorting) => string
  /** Asks whether to pause or resume it; null if the reader may not. */
  readonly switchOf: (queue: Queue) => (() => void) | null
  /** Asks for its limits; null if the reader may not. */
  readonly limitOf: (queue: Queue) => (() => void) | null
}

export function QueueTable({ queues, href, sorting, sortHref, switchOf, limitOf }: Props) {
  const columns = useMemo(() => columnsOf(href, switchOf, limitOf), [href, switchOf, limitOf])
  return <DataGrid
    name="queues" label={workerTexts.queues} columns={columns} rows={queues} total={queues.length} keyOf={({ name }) => name} isMeasured
    sorting={sorting} sortHref={sortHref}
  />
}

function columnsOf(href: Props['href'], switchOf: Props['switchOf'], limitOf: Props['limitOf']): ReadonlyArray<GridColumn<Queue>> {
  const { queueColumns: columns, ...words } = workerTexts
  return [
    {
      id: 'queue', name: words.queue, minPx: 160, grow: 2, isFixed: true, phone: '1', sorts: 'up',
      cell: queue => <PageLink href={href(queue)} className="row-link" data-row-link={queue.name} title={words.queueTitle(queue.name)}>
        <bdi>{queue.task_name}</bdi>
      </PageLink>
    },
    {
      id: 'state', name: columns.state, minPx: 96, isWarning: true, phone: '1 end', sorts: 'up',
      cell: queue => <StatusMark {...queueMark(queue)} />
    },
    {
      id: 'pending', name: columns.pending, title: words.pendingTitle, minPx: 66, isNumber: true,
      phone: '2', sorts: 'down', cell: ({ pending }) => <Count of={pending} word={words.waitingOnPhone} />
    },
    {
      id: 'running', name: columns.running, minPx: 66, isNumber: true, phone: '2', sorts: 'down',
      cell: ({ running }) => <Count of={running} word={words.runningOnPhone} />
    },
    {
      id: 'oldest', name: columns.oldest, title: words.oldestTitle, minPx: 76, givesWay: 2, isNumber: true,
      sorts: 'down',
      cell: ({ oldest_pending_ms: ms }) => (ms === null ? <span className="muted">{words.noneDue}</span> : formatDuration(ms))
    },
    {
      id: 'pace', name: columns.pace, title: words.paceTitle, minPx: 72, givesWay: 4,
      isNumber: true, sorts: 'down', cell: ({ throughput_per_minute: pace }) => formatPace(pace)
    },
    {
      id: 'trend', name: columns.trend, minPx: 104, givesWay: 5,
      cell: ({ trend }) => <span className="trend-finished"><TrendBars counts={trend} label={words.trend} /></span>
    },
    {
      id: 'workers', name: columns.workers, minPx: 66, givesWay: 3, isNumber: true, sorts: 'up',
      cell: ({ workers }) => (workers === null ? <Unknown reason={workerTexts.ofOthers} /> : formatCount(workers))
    },
    {
      id: 'utilisation', name: columns.utilisation, title: words.utilisationTitle, minPx: 128, givesWay: 1, phone: '2 end',
      sorts: 'down', cell: queue => <Utilisation queue={queue} />
    },
    { id: 'rate', name: columns.rate, minPx: 120, grow: 0.6, givesWay: 6, cell: queue => <RateLimit queue={queue} /> },
    {
      id: 'switch', name: words.pause.column, isNameless: true, minPx: 200, phone: '2 end',
      cell: queue => <span className="row-buttons">
        <Limit queue={queue} onLimit={limitOf(queue)} />
        <Switch queue={queue} onSwitch={switchOf(queue)} />
      </span>
    }
  ]
}

function Switch({ queue: { pause, task_name: name }, onSwitch }: { queue: Queue; onSwitch: (() => void) | null }) {
  if (onSwitch === null) return null
  const { pauseIt, resumeIt, pauseOf, resumeOf } = workerTexts.pause
  return <button
    type="button" className="button button-small above" aria-label={(pause === null ? pauseOf : resumeOf)(name)} onClick={onSwitch}
  >
    {pause === null ? pauseIt : resumeIt}
  </button>
}

function Limit({ queue: { task_name: name }, onLimit }: { queue: Queue; onLimit: (() => void) | null }) {
  if (onLimit === null) return null
  const { limitIt, limitOf } = workerTexts.limit
  return <button type="button" className="button button-small above" aria-label={limitOf(name)} onClick={onLimit}>{limitIt}</button>
}

function Count({ of, word }: { of: number; word: string }) {
  return <span className={of === 0 ? 'muted' : undefined} title={formatCount(of)}>
    {formatCompact(of)}<span className="phone-word"> {word}</span>
  </span>
}

function Utilisation({ queue: { utilisation, concurrency, running, limits } }: { queue: Queue }) {
  if (concurrency === null) return <Unknown reason={workerTexts.concurrencyUnknown} />
  if (utilisation === null) return <Unknown reason={workerTexts.noWorker} />
  return (
    <span className="usage" title={workerTexts.runningOf(running, Math.min(concurrency, limits?.concurrency ?? concurrency))}>
      <span className="usage-bar" aria-hidden="true"><i style={{ width: `${Math.min(utilisation, 100)}%` }} /></span>
      {formatRate(utilisation)}
    </span>
  )
}

function RateLimit({ queue: { rate_limit: inCode, limits, rate_limited_until: until } }: { queue: Queue }) {
  const limit = limits?.rate ?? inCode
  if (limit === null) return <span className="muted">{workerTexts.noLimit}</span>
  return until === null
    ? <span title={rateLimitTitle(limit)}>{rateLimitWords(limit)}</span>
    : <span className="tone-warn" title={rateLimitTitle(limit)}>{workerTexts.reachedUntil(<Moment at={until} as="clock" />)}</span>
}
