import type { Queue } from '../../../schemas/queue.ts'
import { done, type Deputy, type Noun } from './noun.ts'
import { QUEUES, type Tasks } from './team.ts'

export function queues({ queueApp: { operations } }: Tasks, { read }: Deputy): Noun {
  const { running, paused, limited } = QUEUES
  return {
    enter: {
      async running() {
        await operations.resumeQueue(running)
        await operations.limitQueue(running, { concurrency: null })
        return running
      },
      async paused() {
        await operations.limitQueue(paused, { concurrency: null })
        await operations.pauseQueue(paused, { reason: 'deployment' })
        return paused
      },
      async limited() {
        await operations.resumeQueue(limited)
        await operations.limitQueue(limited, { concurrency: 9, reason: 'slow database' })
        return limited
      },
      unknown: async () => 'own:unknown'
    },
    async standing(name) {
      const found = (await read<Queue[]>('queues')).find(queue => queue.task_name === name)
      return found === undefined ? null : { state: found.state, pause: found.pause, limits: found.limits }
    },
    writes: {
      'PUT /api/queues/:name/pause': name => ({ path: `/queues/${encodeURIComponent(name)}/pause`, body: { reason: 'mine' } }),
      'PUT /api/queues/:name/resume': name => ({ path: `/queues/${encodeURIComponent(name)}/resume` }),
      'PUT /api/queues/:name/limits': name => ({ path: `/queues/${encodeURIComponent(name)}/limits`, body: { concurrency: 2 } })
    },
    expected: EXPECTED
  }
}

const PAUSED = done({ state: 'paused', pause: { reason: 'mine', since: String } })
const RUNNING = done({ state: 'running', pause: null })
const LIMITED = done({ limits: { concurrency: 2, rate: null } })

/** Another reason replaces a pause. Resuming leaves a limit, and limiting a pause. */
const EXPECTED: Noun['expected'] = {
  'PUT /api/queues/:name/pause': { running: PAUSED, paused: PAUSED, limited: PAUSED, unknown: 'QUEUE_NOT_FOUND' },
  'PUT /api/queues/:name/resume': {
    running: RUNNING, paused: RUNNING, limited: done({ state: 'running', pause: null, limits: { concurrency: 9, reason: 'slow database' } }),
    unknown: 'QUEUE_NOT_FOUND'
  },
  'PUT /api/queues/:name/limits': {
    running: LIMITED, paused: done({ state: 'paused', pause: { reason: 'deployment' }, limits: { concurrency: 2 } }), limited: LIMITED,
    unknown: 'QUEUE_NOT_FOUND'
  }
}
