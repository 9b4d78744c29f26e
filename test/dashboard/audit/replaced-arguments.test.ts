import { createHash } from 'node:crypto'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { dashboardPlugin } from '../../../lib/dashboard/plugin.ts'
import type { ExecutionDetail } from '../../../lib/execution.ts'
import type { AuditPage } from '../../../schemas/audit.ts'
import { sampleQueueApp } from '../sample-queue-app.ts'

const RETRY = { method: 'POST', url: '/tasks/api/executions/e-1/retry', payload: { args: ['other'] } } as const
const DELETE = { method: 'DELETE', url: '/tasks/api/executions/e-1' } as const

/** Retries an execution with these fields with other arguments, or deletes it. Returns the state before in the audit log. */
async function replaced(t: Test, fields: Partial<ExecutionDetail>, write: typeof RETRY | typeof DELETE = RETRY): Promise<unknown> {
  const app = Fastify()
  t.teardown(() => app.close())
  const queueApp = sampleQueueApp({
    monitoring: { execution: async id => ({ ...(await sampleQueueApp().monitoring.execution(id))!, ...fields }) }
  })
  await app.register(dashboardPlugin, { prefix: '/tasks', queueApp, access: 'local' })
  const { statusCode, body } = await app.inject(write)
  t.equal(statusCode, write === RETRY ? 202 : 200, body)
  const { items: [entry] } = (await app.inject('/tasks/api/audit')).json<AuditPage>()
  t.match(entry, { action: write === RETRY ? 'executions:retry' : 'executions:delete', truncated: [], outcome: 'done' })
  return entry?.before
}

t.test('the log keeps the arguments that were replaced', async t => {
  const args = ['x'.repeat(160_000)]
  t.strictSame(await replaced(t, { args }), { task_name: 'email:send', args })
})

t.test('for arguments that are too large, the log keeps their beginning, size and hash', async t => {
  for (const args of [['é'.repeat(100_000), { a: 1 }], [`${'x'.repeat(16_381)}🔥`, '"\\\u0001'.repeat(500_000)]]) {
    const json = JSON.stringify(args)
    const kept = await replaced(t, { args }) as { args_cut: { beginning: string } }
    t.match(kept, {
      task_name: 'email:send', args: null, truncated: ['/args'],
      args_cut: { bytes: Buffer.byteLength(json), sha256: createHash('sha256').update(json).digest('hex') }
    })
    const { beginning } = kept.args_cut
    t.ok(json.startsWith(beginning) && !/\p{Surrogate}/u.test(beginning) && beginning.length > 16_000, beginning.slice(-5))
  }
})

t.test('if the history has only a part of the arguments, the log says so', async t => {
  t.strictSame(await replaced(t, { args: ['a'], truncated: ['/args/0', '/result'] }), {
    task_name: 'email:send', args: ['a'], truncated: ['/args']
  })
})

t.test('for a deleted execution, the log keeps the same about large arguments, and as much of the rest as fits', async t => {
  const args = ['é'.repeat(100_000)]
  const json = JSON.stringify(args)
  const kept = await replaced(t, { args, result: 'r', truncated: ['/args/0', '/logs'] }, DELETE)
  t.match(kept, {
    execution_id: 'e-1', args: null, result: null, logs: [], truncated: ['/logs', '/attempts', '/result', '/args'],
    args_cut: { bytes: Buffer.byteLength(json), sha256: createHash('sha256').update(json).digest('hex'), beginning: /^\["é{16000}/ }
  })
  t.notMatch(await replaced(t, { args: ['a'] }, DELETE), { args_cut: Object }, 'only for arguments that are too large')
})
