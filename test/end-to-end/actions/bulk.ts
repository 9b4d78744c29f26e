import type { BulkOperation, BulkPage, BulkPreview } from '../../../schemas/bulk.ts'
import { waitFor } from '../../support/wait-for.ts'
import { done, type Deputy, type Noun } from './noun.ts'
import { FOREIGN_OPERATION, UNDOING_OPERATION } from './earlier.ts'
import { IDLE, TROUBLE, type Tasks } from './team.ts'

/** The number of failures for operations that must not end during the test, at one item a second. */
const POOL = 100
/** At one item a second, the operation runs long enough to be aborted. */
const ABANDONED = 30
const NAMED = { taskNames: [TROUBLE], tasksLeftOut: 0 }

export async function bulk({ queueApp, fail }: Tasks, { read }: Deputy): Promise<Noun> {
  const { operations, monitoring } = queueApp
  const pool = await fail('pools', POOL)
  const running = async (): Promise<string> =>
    (await operations.bulk.create({ action: 'retry', filter: { executionIds: pool }, ...NAMED, rate: 1 })).operationId
  const until = async (id: string, state: BulkOperation['state']): Promise<string> => {
    await waitFor(`the operation to be ${state}`, async () => {
      const found = await monitoring.bulk.find(id)
      return found?.state === state && found.finishedAt !== null
    })
    return id
  }
  const ended = async (): Promise<string> => {
    const filter = { executionIds: await fail('retries') }
    return await until((await operations.bulk.create({ action: 'retry', filter, ...NAMED })).operationId, 'done')
  }
  return {
    enter: {
      running,
      suspended: async () => (await operations.bulk.suspend(await running())).operationId,
      aborted: async () => await until((await operations.bulk.abort(await running())).operationId, 'aborted'),
      async 'aborted after some items'() {
        const filter = { executionIds: await fail('abandoned', ABANDONED) }
        const { operationId } = await operations.bulk.create({ action: 'retry', filter, ...NAMED, rate: 1 })
        await waitFor('some items', async () => ((await monitoring.bulk.find(operationId))?.progress?.done ?? 0) > 0)
        return await until((await operations.bulk.abort(operationId)).operationId, 'aborted')
      },
      done: ended,
      async 'done for good'() {
        const filter = { executionIds: [await queueApp.enqueue(IDLE)] }
        return await until(
          (await operations.bulk.create({ action: 'cancel', filter, taskNames: [IDLE], tasksLeftOut: 0 })).operationId, 'done')
      },
      undoing: async () => UNDOING_OPERATION,
      undone: async () => await until((await operations.bulk.undo(await ended())).operationId, 'undone'),
      'of another version': async () => FOREIGN_OPERATION,
      unknown: async () => 'made-up'
    },
    // A running operation makes progress, so its `undoable` changes.
    async standing(id) {
      const { state, changed_at: at, changed_by: by, undoable } = await read<BulkOperation>(`bulk/${id}`)
      return { state, at, by, ...state !== 'running' && { undoable } }
    },
    writes: Object.fromEntries(['suspend', 'resume', 'abort', 'undo'].map(verb =>
      [`PUT /api/bulk/:id/${verb}`, (id: string) => ({ path: `/bulk/${id}/${verb}` })])),
    expected: EXPECTED,
    words: {
      running: /running/, suspended: /suspended/, aborted: /aborted/, 'aborted after some items': /aborted/, done: /done/,
      'done for good': /done/, undoing: /undoing/, undone: /undone/,
      'of another version': /unsupported/
    },
    // Otherwise the operations would run for minutes.
    afterwards: id => operations.bulk.abort(id).catch(() => {})
  }
}

const RUNNING = done({ state: 'running' })
const SUSPENDED = done({ state: 'suspended' })
const ABORTED = done({ state: 'aborted' })
const UNDONE = done({ state: /^undo(ing|ne)$/ }, { state: 'undone' })
/** An operation that cannot be read is hidden from users who see only some tasks. */
const FOREIGN = { all: 'BULK_STATE', own: 'BULK_NOT_FOUND' } as const
const REFUSED = {
  done: 'BULK_STATE', 'done for good': 'BULK_STATE', undoing: 'BULK_STATE', undone: 'BULK_STATE', 'of another version': FOREIGN,
  unknown: 'BULK_NOT_FOUND'
}

/** A request for the current state succeeds. An abort before the first item, and a cancellation, leave nothing to undo. */
const EXPECTED: Noun['expected'] = {
  'PUT /api/bulk/:id/suspend': {
    running: SUSPENDED, suspended: SUSPENDED, aborted: 'BULK_STATE', 'aborted after some items': 'BULK_STATE', ...REFUSED
  },
  'PUT /api/bulk/:id/resume': {
    running: RUNNING, suspended: RUNNING, aborted: 'BULK_STATE', 'aborted after some items': 'BULK_STATE', ...REFUSED
  },
  'PUT /api/bulk/:id/abort': { running: ABORTED, suspended: ABORTED, aborted: ABORTED, 'aborted after some items': ABORTED, ...REFUSED },
  'PUT /api/bulk/:id/undo': {
    running: 'BULK_STATE', suspended: 'BULK_STATE', aborted: 'BULK_STATE', ...REFUSED,
    done: UNDONE, 'aborted after some items': UNDONE, undoing: done({ state: 'undoing' }), undone: done({ state: 'undone' })
  }
}

/** The start of an operation. Its states are the kinds of matches of its filter. */
export function bulkStarts({ fail }: Tasks, { read, write }: Deputy): Noun {
  const prepared = new Map<string, object>()
  const ready = async (word: string, body: object | Promise<object>): Promise<string> => {
    prepared.set(word, await body)
    return word
  }
  const inGroup = async (ids: readonly string[]): Promise<object> =>
    ({ task_name: TROUBLE, error_group: (await read<{ error_group: string }>(`executions/${ids[0]}`)).error_group })
  return {
    enter: {
      'an execution': async () => await ready('an execution', { filter: { execution_ids: await fail('letters') } }),
      'a failure group': async () => await ready('a failure group', { filter: await inGroup(await fail('parcels')) }),
      'something to delete': async () =>
        await ready('something to delete', { action: 'delete', filter: { execution_ids: await fail('stamps') } }),
      // An index tells that at once. A count that takes longer than a second does not keep an operation from starting.
      nothing: async () => await ready('nothing', { filter: { task_name: TROUBLE, schedule_id: 'no-such-schedule' } }),
      'more than before'() {
        return ready('more than before', (async () => {
          const filter = await inGroup(await fail('flyers'))
          const preview = await write('POST', 'bulk', { action: 'retry', filter, dry_run: true })
          await fail('flyers')
          return { filter, token: preview.json<BulkPreview>().token }
        })())
      }
    },
    standing: async () => (await read<BulkPage>('bulk?limit=1')).total,
    writes: {
      'POST /api/bulk': (_id, state) => ({ path: '/bulk', body: { action: 'retry', dry_run: false, ...prepared.get(state) } })
    },
    expected: {
      'POST /api/bulk': {
        'an execution': STARTED, 'a failure group': STARTED, 'something to delete': { all: STARTED, operator: 'FORBIDDEN' },
        nothing: 'NOTHING_MATCHES', 'more than before': 'BULK_DRIFTED'
      }
    },
    isShared: true
  }
}

/** Redis does not return an exact count for a group within one task. */
const STARTED = done({ operation_id: String, task_count: 1, state: /running|done/ }, {})
