import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { Link } from 'wouter'
import type { Queue, Worker } from '../../../../schemas/index.ts'
import { sessionQuery } from '../../api/session.ts'
import { queuesQuery, workersQuery } from '../../api/workers.ts'
import { Code } from '../../components/elements/code.tsx'
import { Section } from '../../components/frame/section.tsx'
import { Empty, Failed, SkeletonRows, Stale } from '../../components/frame/states.tsx'
import { SearchField } from '../../components/search/search-field.tsx'
import { LimitedQueues } from '../../components/workers/limited-queues.tsx'
import { PausedQueues } from '../../components/workers/paused-queues.tsx'
import { QueueTable } from '../../components/workers/queue-table.tsx'
import { WorkerTable } from '../../components/workers/worker-table.tsx'
import { permits } from '../../format/actions/permits.ts'
import { readSorting, sortingText } from '../../format/lists/sorting.ts'
import { withParameters } from '../../format/places/address.ts'
import { QUEUE_SORTINGS, toQueueList, toWorkerList, WORKER_SORTINGS } from '../../format/workers/worker-list.ts'
import { useAddress } from '../../hooks/use-address.ts'
import { usePolling } from '../../hooks/use-polling.ts'
import { useSettled } from '../../hooks/use-settled.ts'
import { workerTexts } from '../../texts/workers.ts'
import { useAllowed } from '../use-allowed.ts'
import { QueueLimit } from './queue-limit.tsx'
import { useQueueQuestion } from './use-queue-question.tsx'

const POLLED_EVERY_MS = 4_000

const FIRST_WORKER = `const queueApp = QueueApp.fromUrls({ broker: 'redis://localhost:6379' })
queueApp.task('email:send', async (to, subject) => {
  // …
})
await queueApp.run()`

/** The processes that run tasks, and the queues they take executions from. */
export function WorkersPage() {
  const address = useAddress()
  const find = address.get('find') ?? ''
  const session = useQuery(sessionQuery).data
  const workers = useSettled(useQuery({ ...workersQuery, ...usePolling(POLLED_EVERY_MS) }))
  const queues = useSettled(useQuery({ ...queuesQuery, ...usePolling(POLLED_EVERY_MS) }))
  return (
    <>
      <div className="page-header">
        <h1>{workerTexts.title}</h1>
        {workers.data && workers.data.length > 0 && <Summary workers={workers.data} />}
        <Stale failure={workers.failure} updatedAt={workers.updatedAt} />
        <div className="page-tools">
          <SearchField
            label={workerTexts.search} value={find} onChange={next => address.go({ find: next }, { replace: true })}
          />
        </div>
      </div>
      {workers.data
        ? workers.data.length === 0
          ? <NoWorkers isUnknown={session?.supports.changes === false} />
          : <FoundWorkers workers={workers.data} find={find} />
        : workers.failure
          ? <Failed what={workerTexts.title} failure={workers.failure} onRetry={workers.retry} />
          : <SkeletonRows count={3} label={workerTexts.loading} />}
      <Section
        title={workerTexts.queues}
        aside={<span className="section-aside"><Stale failure={queues.failure} updatedAt={queues.updatedAt} /></span>}
      >
        {queues.data
          ? <FoundQueues queues={queues.data} find={find} />
          : queues.failure
            ? <Failed what={workerTexts.queues} failure={queues.failure} onRetry={queues.retry} />
            : <SkeletonRows count={6} label={workerTexts.loadingQueues} />}
      </Section>
    </>
  )
}

function Summary({ workers }: { workers: readonly Worker[] }) {
  const silent = workers.filter(({ state }) => state === 'silent').length
  const troubled = workers.filter(({ state, healthy }) => state !== 'silent' && !healthy).length
  return (
    <span className="muted">
      {workerTexts.count(workers.length - silent)}
      {troubled > 0 && <>, <span className="tone-warn">{workerTexts.countTroubled(troubled)}</span></>}
      {silent > 0 && <>, <span className="tone-bad">{workerTexts.countSilent(silent)}</span></>}
    </span>
  )
}

function FoundWorkers({ workers, find }: { workers: readonly Worker[]; find: string }) {
  const { get, href } = useAddress()
  const sort = get('sort')
  const sorting = useMemo(() => readSorting(sort, WORKER_SORTINGS), [sort])
  const found = useMemo(() => toWorkerList(workers, find, sorting), [workers, find, sorting])
  if (found.length === 0)
    return <Empty title={workerTexts.noneMatches}><p><Link href={href({ find: null })}>{workerTexts.showAll}</Link></p></Empty>
  return <WorkerTable
    workers={found} href={workerHref} executionHref={executionHref} sorting={sorting ?? { column: 'state', isDescending: false }}
    sortHref={next => href({ sort: sortingText(next) })}
  />
}

function FoundQueues({ queues, find }: { queues: readonly Queue[]; find: string }) {
  const { get, href } = useAddress()
  const sort = get('queues')
  const sorting = useMemo(() => readSorting(sort, QUEUE_SORTINGS), [sort])
  const found = useMemo(() => toQueueList(queues, find, sorting), [queues, find, sorting])
  const { may } = useAllowed()
  const mayDo = useCallback((queue: Queue, action: string) => permits(queue, action) && may(action), [may])
  const [limiting, setLimiting] = useState<Queue | null>(null)
  const limitOf = useCallback((queue: Queue) => (mayDo(queue, 'queues:limit') ? () => setLimiting(queue) : null), [mayDo])
  const { ask, question } = useQueueQuestion(queues)
  const switchOf = useCallback((queue: Queue) =>
    (mayDo(queue, queue.pause === null ? 'queues:pause' : 'queues:resume') ? () => ask(queue) : null), [mayDo, ask])
  if (queues.length === 0) return <p className="muted">{workerTexts.noQueue}</p>
  if (found.length === 0)
    return <Empty title={workerTexts.noQueueMatches}><p><Link href={href({ find: null })}>{workerTexts.showAllQueues}</Link></p></Empty>
  return <>
    <PausedQueues queues={found} />
    <LimitedQueues queues={found} />
    <QueueTable
      queues={found} href={taskHref} sorting={sorting ?? { column: 'queue', isDescending: false }} switchOf={switchOf}
      limitOf={limitOf} sortHref={next => href({ queues: sortingText(next) })}
    />
    {limiting && <QueueLimit queue={limiting} onClose={() => setLimiting(null)} />}
    {question}
  </>
}

function NoWorkers({ isUnknown }: { isUnknown: boolean }) {
  if (isUnknown) return <Empty title={workerTexts.notKnown}><p>{workerTexts.notKnownDetail}</p></Empty>
  return (
    <Empty title={workerTexts.none}>
      <p>{workerTexts.startOne}</p>
      <Code label={workerTexts.howToStart} text={FIRST_WORKER} />
    </Empty>
  )
}

function workerHref({ worker_id: id }: Worker): string {
  return `/executions${withParameters('', { worker: id })}`
}

function executionHref(id: string): string {
  return `/executions${withParameters('', { execution: id })}`
}

function taskHref({ task_name: name }: Queue): string {
  return `/tasks${withParameters('', { name })}`
}
