import type { ExecutionDetail } from '../../../schemas/execution.ts'
import { waitFor } from '../../support/wait-for.ts'
import { done, type Deputy, type Noun } from './noun.ts'
import { IDLE, JOB, type Tasks } from './team.ts'

export function executions({ queueApp }: Tasks, { read, write }: Deputy): Noun {
  const detail = (id: string): Promise<ExecutionDetail> => read<ExecutionDetail>(`executions/${id}`)
  const reached = (id: string, what: Partial<ExecutionDetail>): Promise<ExecutionDetail> =>
    waitFor(`${id} to be ${JSON.stringify(what)}`, async () => {
      const execution = await detail(id)
      return Object.entries(what).every(([key, value]) => execution[key as keyof ExecutionDetail] === value) && execution
    })
  async function entered(what: string, state: Partial<ExecutionDetail>): Promise<string> {
    const id = await queueApp.enqueue(JOB, [what])
    await reached(id, state)
    return id
  }
  /** A failed execution. Its group is known only after it was recorded. */
  async function failed(): Promise<string> {
    const id = await entered('fail', { status: 'failed' })
    await waitFor('its group', async () => (await detail(id)).error_group)
    return id
  }
  const after = async (id: string, method: 'POST' | 'DELETE', path = ''): Promise<string> => {
    await write(method, `executions/${id}${path}`)
    return id
  }

  return {
    enter: {
      waiting: () => queueApp.enqueue(IDLE),
      delayed: () => queueApp.enqueue(JOB, ['succeed'], { delayMs: 600_000 }),
      async retrying() {
        const id = await queueApp.enqueue(JOB, ['fail'], { retries: 1 })
        await reached(id, { state: 'retrying' })
        // The broker knows the state before the times of the failed attempt are stored.
        await waitFor('the attempt of its retry', async () => (await detail(id)).attempts[0]?.finished_at)
        return id
      },
      running: () => entered('run', { status: 'running' }),
      cancelling: async () => await after(await entered('ignore', { status: 'running' }), 'POST', '/cancel'),
      succeeded: () => entered('succeed', { status: 'success' }),
      failed,
      retried: async () => await after(await failed(), 'POST', '/retry'),
      cancelled: async () => await after(await queueApp.enqueue(IDLE), 'POST', '/cancel'),
      deleted: async () => await after(await entered('succeed', { status: 'success' }), 'DELETE'),
      unknown: async () => '01890000-0000-7000-8000-000000000000'
    },
    // The retry of a retried execution runs by itself, so only its id stays the same.
    async standing(id) {
      const execution = await detail(id)
      return { ...execution, retried_by: execution.retried_by?.map(({ execution_id: retry }) => retry) }
    },
    writes: {
      'POST /api/executions/:id/retry': id => ({ path: `/executions/${id}/retry` }),
      'POST /api/executions/:id/cancel': id => ({ path: `/executions/${id}/cancel` }),
      'PATCH /api/executions/:id': id => ({ path: `/executions/${id}`, body: { priority: 7 } }),
      'DELETE /api/executions/:id': id => ({ path: `/executions/${id}` })
    },
    expected: EXPECTED,
    words: {
      waiting: /waiting/, delayed: /delayed/, retrying: /retrying/, running: /active/, cancelling: /active/, succeeded: /completed/,
      failed: /failed/, retried: /failed/, cancelled: /cancelled/
    }
  }
}

const CANCELLED = done({ status: 'cancelled' })
const CHANGED = done({ status: 'pending', priority: 7 })
const DELETED = done({ deleted: true }, { code: 'EXECUTION_DELETED' })

/** Within a scope, a deleted execution looks like one that never existed. */
const GONE = { all: 'EXECUTION_DELETED', own: 'EXECUTION_NOT_FOUND' } as const

/** Cancelling a second time succeeds, and changes nothing. */
const EXPECTED: Noun['expected'] = {
  'POST /api/executions/:id/retry': {
    waiting: 'NOT_RETRYABLE', delayed: 'NOT_RETRYABLE', retrying: 'NOT_RETRYABLE', running: 'NOT_RETRYABLE', cancelling: 'NOT_RETRYABLE',
    succeeded: 'NOT_RETRYABLE', failed: done({ task_name: JOB, retry_of: String }, { status: 'failed', retried_by: [String] }),
    retried: 'ALREADY_RETRIED', cancelled: 'NOT_RETRYABLE', deleted: GONE, unknown: 'EXECUTION_NOT_FOUND'
  },
  'POST /api/executions/:id/cancel': {
    waiting: CANCELLED, delayed: CANCELLED, retrying: CANCELLED,
    running: done({ status: 'running', cancelling_since: String }, { status: 'cancelled' }),
    cancelling: done({ status: 'running', cancelling_since: String }), succeeded: 'NOT_CANCELLABLE', failed: 'NOT_CANCELLABLE',
    retried: 'NOT_CANCELLABLE', cancelled: CANCELLED, deleted: GONE, unknown: 'EXECUTION_NOT_FOUND'
  },
  'PATCH /api/executions/:id': {
    waiting: CHANGED, delayed: CHANGED, retrying: CHANGED, running: 'NOT_CHANGEABLE', cancelling: 'NOT_CHANGEABLE',
    succeeded: 'NOT_CHANGEABLE', failed: 'NOT_CHANGEABLE', retried: 'NOT_CHANGEABLE', cancelled: 'NOT_CHANGEABLE',
    deleted: GONE, unknown: 'EXECUTION_NOT_FOUND'
  },
  'DELETE /api/executions/:id': {
    waiting: 'NOT_DELETABLE', delayed: 'NOT_DELETABLE', retrying: 'NOT_DELETABLE', running: 'NOT_DELETABLE', cancelling: 'NOT_DELETABLE',
    succeeded: DELETED, failed: DELETED, retried: DELETED, cancelled: DELETED, deleted: GONE, unknown: 'EXECUTION_NOT_FOUND'
  }
}
