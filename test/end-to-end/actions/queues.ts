import type { Queue } from '../../../schemas/queue.ts'
import { waitFor } from '../../support/wait-for.ts'
import { done, type Deputy, type Noun } from './noun.ts'
import { QUEUES, type Tasks } from './team.ts'

export function queues({ queueApp: { operations } }: Tasks, { read }: Deputy): Noun {
  const { running, paused, limited } = QUEUES
  async function standing(name: string) {
    const found = (await read<Queue[]>('queues')).find(queue => queue.task_name === name)
    return found === undefined ? null : { state: found.state, pause: found.pause, limits: found.limits }
  }
  /** A list may be a second old, unless the write came through the dashboard. */
  const reached = async (name: string, pausedFor: string | null, limit: number | null): Promise<string> => {
    await waitFor(`${name} in the list`, async () => {
      const found = await standing(name)
      return (found?.pause?.reason ?? null) === pausedFor && (found?.limits?.concurrency ?? null) === limit
    })
    return name
  }
  return {
    enter: {
      async running() {
        await operations.resumeQueue(running)
        await operations.limitQueue(running, { concurrency: null })
        return await reached(running, null, null)
      },
      async paused() {
        await operations.limitQueue(paused, { concurrency: null })
        await operations.pauseQueue(paused, { reason: 'deployment' })
        return await reached(paused, 'deployment', null)
      },
      async limited() {
        await operations.resumeQueue(limited)
        await operations.limitQueue(limited, { concurrency: 9, reason: 'slow database' })
        return await reached(limited, null, 9)
      },
      unknown: async () => 'own:unknown'
    },
    standing,
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
    running: RUNNING, paused: RUNNING,
    limited: done({ state: 'running', pause: null, limits: { concurrency: 9, reason: 'slow database' } }),
    unknown: 'QUEUE_NOT_FOUND'
  },
  'PUT /api/queues/:name/limits': {
    running: LIMITED, paused: done({ state: 'paused', pause: { reason: 'deployment' }, limits: { concurrency: 2 } }), limited: LIMITED,
    unknown: 'QUEUE_NOT_FOUND'
  }
}
