import fastify, { type LightMyRequestResponse } from 'fastify'
import t, { type Test } from 'tap'
import { currentExecution, dashboardPlugin, QueueApp } from '../../lib/index.ts'
import type { ExecutionDetail } from '../../schemas/execution.ts'
import type { Problem } from '../../schemas/problem.ts'
import { onEveryStore } from '../support/servers/stores.ts'
import { waitFor } from '../support/wait-for.ts'

/** Every state that an execution can have for somebody who acts on it. */
const STATES = [
  'waiting', 'delayed', 'retrying', 'running', 'cancelling', 'succeeded', 'failed', 'retried', 'cancelled', 'deleted', 'unknown'
] as const
type State = (typeof STATES)[number]

const ACTIONS = {
  retry: { method: 'POST', path: '/retry', body: undefined },
  cancel: { method: 'POST', path: '/cancel', body: undefined },
  update: { method: 'PATCH', path: '', body: { priority: 7 } },
  delete: { method: 'DELETE', path: '', body: undefined }
} as const
type Action = keyof typeof ACTIONS

const DONE = 'done'
/** What an operator gets: `done`, or the code of the refusal. Cancelling twice is done, and changes nothing. */
const EXPECTED: Readonly<Record<State, Readonly<Record<Action, string>>>> = {
  waiting: { retry: 'NOT_RETRYABLE', cancel: DONE, update: DONE, delete: 'NOT_DELETABLE' },
  delayed: { retry: 'NOT_RETRYABLE', cancel: DONE, update: DONE, delete: 'NOT_DELETABLE' },
  retrying: { retry: 'NOT_RETRYABLE', cancel: DONE, update: DONE, delete: 'NOT_DELETABLE' },
  running: { retry: 'NOT_RETRYABLE', cancel: DONE, update: 'NOT_CHANGEABLE', delete: 'NOT_DELETABLE' },
  cancelling: { retry: 'NOT_RETRYABLE', cancel: DONE, update: 'NOT_CHANGEABLE', delete: 'NOT_DELETABLE' },
  succeeded: { retry: 'NOT_RETRYABLE', cancel: 'NOT_CANCELLABLE', update: 'NOT_CHANGEABLE', delete: DONE },
  failed: { retry: DONE, cancel: 'NOT_CANCELLABLE', update: 'NOT_CHANGEABLE', delete: DONE },
  retried: { retry: 'ALREADY_RETRIED', cancel: 'NOT_CANCELLABLE', update: 'NOT_CHANGEABLE', delete: DONE },
  cancelled: { retry: 'NOT_RETRYABLE', cancel: DONE, update: 'NOT_CHANGEABLE', delete: DONE },
  deleted: { retry: 'EXECUTION_DELETED', cancel: 'EXECUTION_DELETED', update: 'EXECUTION_DELETED', delete: 'EXECUTION_DELETED' },
  unknown: {
    retry: 'EXECUTION_NOT_FOUND', cancel: 'EXECUTION_NOT_FOUND', update: 'EXECUTION_NOT_FOUND', delete: 'EXECUTION_NOT_FOUND'
  }
}
const STATUS_OF: Readonly<Record<string, number>> = {
  NOT_RETRYABLE: 409, NOT_CANCELLABLE: 409, NOT_CHANGEABLE: 409, NOT_DELETABLE: 409, ALREADY_RETRIED: 409, EXECUTION_DELETED: 410,
  EXECUTION_NOT_FOUND: 404
}
/** The word for the state in the text of a refusal. */
const WORD_OF: Partial<Record<State, RegExp>> = {
  waiting: /waiting/, delayed: /delayed/, retrying: /retrying/, running: /active/, cancelling: /active/, succeeded: /completed/,
  failed: /failed/, retried: /failed/, cancelled: /cancelled/
}
/** What an execution is after the action was done on it. */
const AFTER: Readonly<Record<Action, Partial<Record<State, Partial<ExecutionDetail>>>>> = {
  retry: { failed: { status: 'failed' } },
  cancel: {
    waiting: { status: 'cancelled' }, delayed: { status: 'cancelled' }, retrying: { status: 'cancelled' },
    running: { status: 'cancelled' }, cancelling: { status: 'running' }, cancelled: { status: 'cancelled' }
  },
  update: {
    waiting: { status: 'pending', priority: 7 }, delayed: { status: 'pending', priority: 7 }, retrying: { status: 'pending', priority: 7 }
  },
  delete: {}
}

const OTHERS: ReadonlyArray<readonly [person: string, code: string, status: number]> = [
  ['nobody', 'HTTP_401', 401], ['viewer', 'FORBIDDEN', 403], ['other-team', 'EXECUTION_NOT_FOUND', 404]
]

async function serve(t: Test, url: string) {
  const queueApp = QueueApp.fromUrls({ broker: url, tasks: { nobody_runs_it: {} }, stopGraceMs: 100 })
  const runs = new Map<string, number>()
  queueApp.task('job', async (what: string) => {
    const { executionId, signal } = currentExecution()
    runs.set(executionId, (runs.get(executionId) ?? 0) + 1)
    if (what === 'fail' || what === 'fail first') throw new Error('no connection')
    if (what === 'succeed') return
    await new Promise<void>(resolve => { if (what === 'run') signal.addEventListener('abort', () => resolve(), { once: true }) })
    throw signal.reason
  }, { concurrency: 50, retryDelay: 600 })
  await queueApp.start()
  const server = fastify()
  await server.register(dashboardPlugin, {
    prefix: '/tasks', queueApp,
    authorize(request, action) {
      if (request.headers['x-person'] === 'nobody') throw Object.assign(new Error('who are you?'), { statusCode: 401 })
      return request.headers['x-person'] !== 'viewer' || action.endsWith(':view')
    },
    scope: request => request.headers['x-person'] === 'other-team' ? () => false : null
  })
  t.teardown(async () => {
    await server.close()
    await queueApp.stop()
  })

  const act = (person: string, action: Action, executionId: string): Promise<LightMyRequestResponse> => {
    const { method, path, body } = ACTIONS[action]
    return server.inject({
      method, url: `/tasks/api/executions/${executionId}${path}`, headers: { 'x-person': person }, ...body && { payload: body }
    })
  }
  const read = async (executionId: string): Promise<ExecutionDetail> =>
    (await server.inject({ url: `/tasks/api/executions/${executionId}`, headers: { 'x-person': 'operator' } })).json<ExecutionDetail>()
  const reached = (executionId: string, what: Partial<ExecutionDetail>): Promise<ExecutionDetail> =>
    waitFor(`${executionId} to be ${JSON.stringify(what)}`, async () => {
      const execution = await read(executionId)
      return Object.entries(what).every(([key, value]) => execution[key as keyof ExecutionDetail] === value) && execution
    })

  const enter: Readonly<Record<State, () => Promise<string>>> = {
    waiting: () => queueApp.enqueue('nobody_runs_it'),
    delayed: () => queueApp.enqueue('job', ['succeed'], { delayMs: 600_000 }),
    async retrying() {
      const id = await queueApp.enqueue('job', ['fail first'], { retries: 1 })
      await reached(id, { state: 'retrying' })
      // The broker knows the state before the times of the failed attempt are stored.
      await waitFor('the attempt of its retry', async () => (await read(id)).attempts[0]?.finished_at)
      return id
    },
    running: () => entered('run', { status: 'running' }),
    async cancelling() {
      const id = await entered('ignore', { status: 'running' })
      await act('operator', 'cancel', id)
      return id
    },
    succeeded: () => entered('succeed', { status: 'success' }),
    failed,
    async retried() {
      const id = await failed()
      await act('operator', 'retry', id)
      return id
    },
    async cancelled() {
      const id = await queueApp.enqueue('nobody_runs_it')
      await act('operator', 'cancel', id)
      return id
    },
    async deleted() {
      const id = await entered('succeed', { status: 'success' })
      await act('operator', 'delete', id)
      return id
    },
    unknown: async () => '01890000-0000-7000-8000-000000000000'
  }
  /** The group is there once it is recorded. */
  async function failed(): Promise<string> {
    const id = await entered('fail', { status: 'failed' })
    await waitFor('its group', async () => (await read(id)).error_group)
    return id
  }
  async function entered(what: string, state: Partial<ExecutionDetail>): Promise<string> {
    const id = await queueApp.enqueue('job', [what])
    await reached(id, state)
    return id
  }
  return { act, read, reached, enter, runs }
}

const codeOf = (answer: LightMyRequestResponse): string =>
  answer.statusCode < 300 ? DONE : answer.json<Problem>().code

t.test('every action in every state by every identity is done, or refused with its reason', t => onEveryStore(t, async (t, url) => {
  const { act, read, reached, enter, runs } = await serve(t, url)
  await Promise.all(STATES.map(state => t.test(state, async t => {
    const shown = await enter[state]()
    // The retry of a retried execution runs on by itself, so only its id stays the same.
    const standing = async () => {
      const execution = await read(shown)
      return { ...execution, retried_by: execution.retried_by?.map(({ execution_id: id }) => id) }
    }
    const before = await standing()
    for (const action of Object.keys(ACTIONS) as Action[]) {
      for (const [person, code, status] of OTHERS) {
        const answer = await act(person, action, shown)
        t.match({ status: answer.statusCode, code: codeOf(answer) }, { status, code }, `${person}: ${action}`)
      }
    }
    t.strictSame(await standing(), before, 'what was refused to others changed nothing')

    for (const action of Object.keys(ACTIONS) as Action[]) {
      const id = await enter[state]()
      const ran = runs.get(id)
      const expected = EXPECTED[state][action]
      const answer = await act('operator', action, id)
      t.equal(codeOf(answer), expected, `operator: ${action}`)
      if (expected !== DONE) {
        t.equal(answer.statusCode, STATUS_OF[expected], `operator: the status of ${action}`)
        if (STATUS_OF[expected] === 409 && expected !== 'ALREADY_RETRIED')
          t.match(answer.json<Problem>().detail, WORD_OF[state], `operator: the refusal of ${action} names the state`)
        continue
      }
      if (action === 'delete') t.match(await read(id), { code: 'EXECUTION_DELETED' }, 'it is gone')
      else t.ok(await reached(id, AFTER[action][state]!), `operator: after ${action}`)
      if (action === 'retry') t.equal((await read(id)).retried_by.length, 1, 'it has one retry')
      t.equal(runs.get(id), ran, 'no action runs the same execution again')
    }
  })))
}))
