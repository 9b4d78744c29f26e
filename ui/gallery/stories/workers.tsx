import { LimitedQueues } from '../../src/components/workers/limited-queues.tsx'
import { PausedQueues } from '../../src/components/workers/paused-queues.tsx'
import { QueuePause } from '../../src/components/workers/queue-pause.tsx'
import { QueueTable } from '../../src/components/workers/queue-table.tsx'
import { WorkerTable } from '../../src/components/workers/worker-table.tsx'
import { HOSTILE, LONG } from '../samples/frame.ts'
import { limitedQueue, pausedQueue, queues, worker, workers } from '../samples/tasks.ts'
import { nothing, nowhere, type Stories } from './story.ts'

const table = { href: nowhere, sorting: null, sortHref: nowhere }
const allowed = () => nothing
const refused = () => null

export const workerStories: Stories = {
  Workers: [
    { state: 'ready', words: 'one in each state', show: () => <WorkerTable {...table} workers={workers} executionHref={nowhere} /> },
    {
      state: 'huge', show: () => <WorkerTable
        {...table} executionHref={nowhere}
        workers={[{ ...worker, running: 40, executions: Array.from({ length: 40 }, (_, index) => ({ execution_id: `e-${index}`,
          task_name: 'billing:charge', started_at: null })) }]}
      />
    }
  ],
  Queues: [
    { state: 'ready', show: () => <QueueTable {...table} queues={queues} switchOf={allowed} limitOf={allowed} /> },
    { state: 'forbidden', show: () => <QueueTable {...table} queues={queues} switchOf={refused} limitOf={refused} /> }
  ],
  'What is paused or limited': [
    { state: 'ready', show: () => <><PausedQueues queues={queues} /><LimitedQueues queues={queues} /></> },
    {
      state: 'partial', words: 'one of each',
      show: () => <><PausedQueues queues={[pausedQueue]} /><LimitedQueues queues={[limitedQueue]} /></>
    },
    { state: 'hostile', show: () => <p className="wrap"><QueuePause pause={{ since: null, by: HOSTILE, reason: LONG, until: null }} /></p> }
  ]
}
