import fastify, { type LightMyRequestResponse } from 'fastify'
import t, { type Test } from 'tap'
import { dashboardPlugin, QueueApp } from '../../../lib/index.ts'
import type { AuditPage } from '../../../schemas/audit.ts'
import type { FailureGroup, FailureGroupPage } from '../../../schemas/failure.ts'
import type { Problem } from '../../../schemas/problem.ts'
import { onEveryStore } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

interface Served {
  readonly queueApp: QueueApp
  /** Runs a task that fails with this message, and waits until its group counts that. */
  fail(message: string): Promise<FailureGroup>
  groups(query?: string): Promise<FailureGroupPage>
  decide(errorGroup: string, verb: 'resolve' | 'reopen', body?: object, headers?: Record<string, string>): Promise<LightMyRequestResponse>
  audit(query: string): Promise<AuditPage>
}

/** A queue app with a dashboard for `ada`, who needs a reason to reopen. */
async function serve(t: Test, url: string): Promise<Served> {
  const queueApp = QueueApp.fromUrls({ broker: url })
  queueApp.task('job', async (message: string) => { throw new Error(message) })
  await queueApp.start()
  const server = fastify()
  await server.register(dashboardPlugin, {
    prefix: '/tasks', queueApp, access: 'host', identify: ({ headers }) => String(headers['x-user'] ?? 'ada'),
    requireReason: ['failures:reopen']
  })
  t.teardown(async () => {
    await server.close()
    await queueApp.stop()
  })
  const groups = async (query = '') => (await server.inject(`/tasks/api/failures?${query}`)).json<FailureGroupPage>()
  const find = async (message: string) => (await groups()).items.find(each => each.message === message)
  return {
    queueApp, groups,
    async fail(message) {
      const before = (await find(message))?.count ?? 0
      await queueApp.enqueue('job', [message])
      return waitFor('the failure to be counted', async () => {
        const group = await find(message)
        return group !== undefined && group.count > before && group
      })
    },
    decide: (errorGroup, verb, body, headers = {}) => server.inject({
      method: 'PUT', url: `/tasks/api/failures/${encodeURIComponent(errorGroup)}/${verb}`, headers,
      ...body !== undefined && { payload: body }
    }),
    audit: async query => (await server.inject(`/tasks/api/audit?${query}`)).json<AuditPage>()
  }
}

t.test('a failure group is resolved, regresses with the next failure, and is reopened, each with its audit entry', t =>
  onEveryStore(t, async (t, url) => {
    const { fail, groups, decide, audit } = await serve(t, url)
    await fail('disk full')
    const { error_group: id, ...fresh } = await fail('no connection')
    t.match(fresh, { state: 'open', decision: null, count: 1 })

    const answer = await decide(id, 'resolve', { note: ' fixed in <b>1.2</b>\n' })
    t.equal(answer.statusCode, 200)
    const resolved = answer.json<FailureGroup>()
    t.match(resolved, { state: 'resolved', decision: { action: 'resolve', by: 'ada', note: 'fixed in <b>1.2</b>' } })
    t.strictSame({ ...resolved, state: 'open', decision: null }, { error_group: id, ...fresh }, 'its counts stay')
    const again = await decide(id, 'resolve', undefined, { 'x-user': 'bob' })
    t.strictSame([again.statusCode, again.json()], [200, resolved], 'repeating it changes nothing')
    const names = async (query: string) => (await groups(query)).items.map(each => each.message)
    t.strictSame(await names('state=resolved'), ['no connection'])
    t.strictSame(await names('state=open'), ['disk full'])
    t.strictSame(await names('state=regressed'), [])
    t.strictSame([await names(''), await names('state=all')], Array(2).fill(['no connection', 'disk full']), 'all is the default')

    t.match(await fail('no connection'), { state: 'regressed', decision: resolved.decision, count: 2 })
    t.strictSame(await names('state=regressed'), ['no connection'])
    t.strictSame(await names('state=open'), ['no connection', 'disk full'])

    const refused = await decide(id, 'reopen')
    t.match([refused.statusCode, refused.json()], [400, { code: 'REASON_REQUIRED' }])
    const reopened = await decide(id, 'reopen', {}, { 'audit-reason': 'not%20fixed', 'x-user': 'bob' })
    t.match(reopened.json(), { state: 'open', decision: { action: 'reopen', by: 'bob', note: null }, count: 2 })

    const [entry] = (await audit('action=failures:reopen&outcome=done')).items
    t.match(entry, {
      actor: 'bob', reason: 'not fixed', resource: { error_group: id, execution_id: null }, status: 200,
      before: { error_group: id, state: 'regressed', decision: { note: 'fixed in <b>1.2</b>' } },
      after: { error_group: id, state: 'open', decision: { by: 'bob' } }
    })
    const entries = (await audit('action=failures:resolve')).items.map(({ actor, outcome }) => [actor, outcome])
    t.strictSame(entries, [['bob', 'done'], ['ada', 'done']])
  }))

t.test('two people who resolve a group at once get the same group, and unknown groups and hostile notes are refused', t =>
  onEveryStore(t, async (t, url) => {
    const { fail, groups, decide, queueApp } = await serve(t, url)
    const { error_group: id } = await fail('no connection')
    const people = ['ada', 'bob', 'eve']
    const answers = await Promise.all(people.map(person => decide(id, 'resolve', {}, { 'x-user': person })))
    t.strictSame(answers.map(answer => answer.statusCode), [200, 200, 200])
    const [first, ...others] = answers.map(answer => answer.json<FailureGroup>())
    for (const other of others) t.strictSame(other, first)
    t.ok(people.includes(first!.decision!.by!))

    for (const unknown of ['000000000000', '../resolve', '</script>', '__proto__', 'x'.repeat(512)]) {
      const answer = await decide(unknown, 'resolve', { note: 'x' })
      t.match([answer.statusCode, answer.json<Problem>().code], [404, 'FAILURE_GROUP_NOT_FOUND'], unknown)
    }
    for (const note of ['x'.repeat(1_001), '\u202etxt', 'a\u0000b', 'a\rb', '\ud800', 7, null, ['x']]) {
      const answer = await decide(id, 'resolve', { note })
      t.match([answer.statusCode, answer.json<Problem>()], [400, { code: 'INVALID_INPUT', errors: [{ pointer: '/note' }] }])
    }
    await t.rejects(queueApp.operations.resolveFailureGroup(id, { note: '\u202e' }), { code: 'INVALID_INPUT' })
    const longest = `${'日'.repeat(998)}\n.`
    t.equal((await decide(id, 'resolve', { note: longest })).json<FailureGroup>().decision!.note, longest)
    t.equal((await groups()).items.length, 1)
  }))

t.test('failures that the reader has not seen yet are not resolved', t => onEveryStore(t, async (t, url) => {
  const { fail, decide, groups, audit, queueApp } = await serve(t, url)
  const seen = await fail('late')
  const bound = { if_last_seen_at: seen.last_seen_at, note: 'fixed' }
  const again = await fail('late')
  t.ok(again.last_seen_at > seen.last_seen_at)
  const refused = (await decide(seen.error_group, 'resolve', bound)).json<Problem>()
  t.match(refused, { status: 409, code: 'FAILED_AGAIN', detail: new RegExp(again.last_seen_at) })
  t.match((await groups()).items, [{ state: 'open', decision: null }], 'nothing was decided')
  t.match((await audit('outcome=refused')).items, [{ action: 'failures:resolve' }])

  const now = { ...bound, if_last_seen_at: again.last_seen_at }
  t.match((await decide(seen.error_group, 'resolve', now)).json(), { state: 'resolved', decision: { note: 'fixed' } })
  t.match((await decide(seen.error_group, 'resolve', now)).json(), { state: 'resolved' }, 'repeating it changes nothing')
  await fail('late')
  t.match((await decide(seen.error_group, 'resolve', now)).json(), { status: 409, code: 'FAILED_AGAIN' })
  t.match((await groups()).items, [{ state: 'regressed' }])
  for (const wrong of ['yesterday', 5, null, '2026-02-31T25:00:00Z'])
    t.match((await decide(seen.error_group, 'resolve', { if_last_seen_at: wrong })).json(), { status: 400, code: 'INVALID_INPUT' })
  t.match((await decide(seen.error_group, 'reopen', { if_last_seen_at: seen.last_seen_at })).json(), { status: 400 })
  await t.rejects(queueApp.operations.resolveFailureGroup(seen.error_group, { ifLastSeenAt: 0.5 }), { code: 'INVALID_INPUT' })
  t.match((await decide(seen.error_group, 'resolve')).json(), { state: 'resolved' }, 'without a time, all failures are resolved')
}))
