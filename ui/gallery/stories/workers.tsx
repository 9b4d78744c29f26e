import type { Queue, Worker } from '../../../schemas/index.ts'
import { LimitedQueues } from '../../src/components/workers/limited-queues.tsx'
import { PausedQueues } from '../../src/components/workers/paused-queues.tsx'
import { QueuePause } from '../../src/components/workers/queue-pause.tsx'
import { QueueTable } from '../../src/components/workers/queue-table.tsx'
import { WorkerTable } from '../../src/components/workers/worker-table.tsx'
import {
  hostileQueue, hostileWorker, limitedQueue, longQueue, longWorker, pausedQueue, queue, queues, unknownQueue, unknownWorker, workers
} from '../samples/workers.ts'
import { href, nothing, type Stories } from '../story.ts'

export const workerStories: Stories = {
  'workers/limited-queues': [
    { state: 'ready', show: () => <LimitedQueues queues={[limitedQueue]} /> },
    { state: 'empty', words: 'none: nothing', show: () => <LimitedQueues queues={[queue]} /> },
    { state: 'huge', show: () => <LimitedQueues queues={[longQueue, limitedQueue, longQueue]} /> },
    { state: 'hostile', show: () => <LimitedQueues queues={[hostileQueue]} /> }
  ],
  'workers/paused-queues': [
    { state: 'ready', show: () => <PausedQueues queues={[pausedQueue]} /> },
    { state: 'empty', words: 'none: nothing', show: () => <PausedQueues queues={[queue]} /> },
    { state: 'unknown', words: 'who paused it', show: () => <PausedQueues queues={[unknownQueue]} /> },
    { state: 'huge', show: () => <PausedQueues queues={[longQueue, pausedQueue]} /> },
    { state: 'hostile', show: () => <PausedQueues queues={[hostileQueue]} /> }
  ],
  'workers/queue-pause': [
    { state: 'ready', show: () => <QueuePause pause={pausedQueue.pause!} /> },
    { state: 'unknown', words: 'who paused it', show: () => <QueuePause pause={unknownQueue.pause!} /> },
    { state: 'huge', show: () => <QueuePause pause={longQueue.pause!} /> },
    { state: 'hostile', show: () => <QueuePause pause={hostileQueue.pause!} /> }
  ],
  'workers/queue-table': [
    { state: 'ready', show: () => queueTable(queues) },
    { state: 'empty', show: () => queueTable([]) },
    { state: 'forbidden', words: 'nothing may be changed', show: () => queueTable(queues, false) },
    { state: 'unknown', words: 'of an existing queue', show: () => queueTable([unknownQueue], false) },
    { state: 'huge', show: () => queueTable([longQueue]) },
    { state: 'hostile', show: () => queueTable([hostileQueue]) }
  ],
  'workers/worker-table': [
    { state: 'ready', show: () => workerTable(workers) },
    { state: 'empty', show: () => workerTable([]) },
    { state: 'unknown', words: 'of an earlier version', show: () => workerTable([unknownWorker]) },
    { state: 'huge', show: () => workerTable([longWorker]) },
    { state: 'hostile', show: () => workerTable([hostileWorker]) }
  ]
}

function queueTable(rows: readonly Queue[], mayChange = true) {
  const asks = (): typeof nothing | null => (mayChange ? nothing : null)
  return <QueueTable queues={rows} href={href} sorting={null} sortHref={href} switchOf={asks} limitOf={asks} />
}

function workerTable(rows: readonly Worker[]) {
  return <WorkerTable workers={rows} href={href} executionHref={href} sorting={null} sortHref={href} />
}
