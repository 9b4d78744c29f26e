import type { Queue } from '../../../schemas/queue.ts'
import { waitFor } from '../../support/wait-for.ts'
import { done, type Deputy, type Done, type Noun } from './noun.ts'
import { QUEUES, type Tasks } from './team.ts'

export function queues({ queueApp: { operations }, pauseByOtherCode }: Tasks, { read }: Deputy): Noun {
  const { running, paused, limited, pausedByOthers } = QUEUES
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
  const enter: Noun['enter'] = {
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
  }
  return {
    enter: {
      ...enter,
      ...pauseByOtherCode && {
        async 'paused by other code'() {
          await operations.resumeQueue(pausedByOthers)
          await operations.limitQueue(pausedByOthers, { concurrency: null })
          await pauseByOtherCode(pausedByOthers)
          await waitFor('the pause in the list', async () => {
            const found = await standing(pausedByOthers)
            return found?.state === 'paused' && found.pause?.since === null && found.limits === null
          })
          return pausedByOthers
        }
      }
    },
    standing,
    writes: {
      'PUT /api/queues/:name/pause': name => ({ path: `/queues/${encodeURIComponent(name)}/pause`, body: { reason: 'mine' } }),
      'PUT /api/queues/:name/resume': name => ({ path: `/queues/${encodeURIComponent(name)}/resume` }),
      'PUT /api/queues/:name/limits': name => ({ path: `/queues/${encodeURIComponent(name)}/limits`, body: { concurrency: 2 } })
    },
    expected: pauseByOtherCode === null ? EXPECTED : withPausedByOthers(EXPECTED)
  }
}

const PAUSED = done({ state: 'paused', pause: { reason: 'mine', since: String } })
const RUNNING = done({ state: 'running', pause: null })
const LIMITED = done({ limits: { concurrency: 2, rate: null } })

/** A pause with a different reason replaces the old one. Resuming keeps a limit, and limiting keeps a pause. */
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

/** A pause by other code has no person, time or reason until someone pauses the queue here. */
function withPausedByOthers(expected: Noun['expected']): Noun['expected'] {
  return Object.fromEntries(Object.entries(expected).map(([route, row]) => [route, { ...row, 'paused by other code': BY_OTHERS[route]! }]))
}

const BY_OTHERS: Readonly<Record<string, Done>> = {
  'PUT /api/queues/:name/pause': PAUSED,
  'PUT /api/queues/:name/resume': RUNNING,
  'PUT /api/queues/:name/limits': done({ state: 'paused', pause: { since: null, by: null, reason: null }, limits: { concurrency: 2 } })
}
