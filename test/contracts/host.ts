import type { InjectOptions } from 'fastify'
import type { Test } from 'tap'
import type { HostedQueueApp, HostOptions } from '../../lib/index.ts'
import { EXECUTION_IDS, TASK_NAMES, sampleQueueApp } from '../dashboard/sample-queue-app.ts'
import { inBatches } from '../support/in-batches.ts'
import { isSoak } from '../support/soak.ts'
import { waitFor } from '../support/wait-for.ts'
import { createDecidedMount, createNamedMount, leadsToSignIn, misspellingsOf, onlyTrueOpens, spellingsAtRandom } from './host-doors.ts'
import {
  asking, askLiterally, comparableQueueApp, createReference, createStreamProbe, exampleOf, GOOD, JSON_TYPE, paths, sendLarge, withHost,
  withoutMoment
} from './host-requests.ts'

/** A dashboard to mount. */
export interface Mount {
  readonly prefix: string
  readonly queueApp: HostedQueueApp
  readonly options: HostOptions
}

export interface Host {
  /** Starts the real host on a free port of 127.0.0.1 with these dashboards. Resolves to its address. */
  start(t: Test, mounts: readonly Mount[]): Promise<string>
  /** The same, behind this host's JSON body parser. */
  startParsing?(t: Test, mounts: readonly Mount[]): Promise<string>
  /** False if the host only passes a Web `Request`, which has no socket. */
  readonly knowsSocket: boolean
  /** True if the host itself redirects `/tasks/` to `/tasks`. */
  readonly redirectsSlash?: boolean
  /** True if the host ignores case when it compares the mount path, and hides this from the dashboard. */
  readonly ignoresCase?: boolean
  /** Status of the host's own response to a path that is not UTF-8. Default: the host passes it on, and the dashboard refuses it. */
  readonly malformed?: number
}

const AUTHORIZATION = `Basic ${btoa('ana:pass:word')}`

/** The contract of every host: its dashboard answers as the plugin does in Fastify. */
export function hostContract(t: Test, name: string, host: Host): void {
  t.test(`${name} serves the dashboard as Fastify does`, async t => {
    const stream = createStreamProbe()
    const decided = createDecidedMount('/decided')
    const named = createNamedMount('/named')
    const mounts = [
      { prefix: '/tasks', queueApp: comparableQueueApp(), options: { access: 'host', title: 'One', configure: stream.configure } },
      {
        prefix: '/ops/deep/tasks', queueApp: sampleQueueApp(), options: { auth: { username: 'ana', password: 'pass:word' }, title: 'Two' }
      },
      { prefix: '/local', queueApp: sampleQueueApp(), options: {} },
      decided.mount,
      named.mount
    ] as const satisfies readonly Mount[]
    const address = await host.start(t, mounts)
    const ask = asking(address)
    const expected = await createReference(t, mounts[0].prefix)

    async function same(t: Test, method: string, url: string, headers: Record<string, string> = {}, body?: string): Promise<void> {
      const wanted = await expected.inject({
        method: method as 'GET', url, headers, ...(body !== undefined && { payload: body })
      } satisfies InjectOptions)
      const given = await ask(method, url, { headers, ...(body !== undefined && { body }) })
      const title = `${method} ${url.slice(0, 100)}`
      t.equal(given.status, wanted.statusCode, title)
      t.equal(given.headers.get('content-type'), wanted.headers['content-type'] ?? null, `${title}: type`)
      for (const header of [
        'etag', 'allow', 'location', 'link', 'cache-control', 'content-security-policy', 'x-content-type-options', 'www-authenticate'
      ]) {
        t.equal(given.headers.get(header), wanted.headers[header] ?? null, `${title}: ${header}`)
      }
      t.equal(withoutMoment(given.text), withoutMoment(wanted.payload), `${title}: body`)
    }

    t.test('every endpoint responds as in Fastify', async t => {
      for (const [path, operations] of Object.entries(paths)) {
        for (const [method, operation] of Object.entries(operations)) {
          const { url, body } = exampleOf(path, operation)
          await same(t, method.toUpperCase(), `/tasks${url}`, body ? JSON_TYPE : {}, body)
          if (method === 'get') await same(t, 'HEAD', `/tasks${url}`)
        }
      }
    })

    t.test('names, ids and queries of every kind get the same response as in Fastify', async t => {
      for (const id of [...EXECUTION_IDS, 'x'.repeat(1000)]) await same(t, 'GET', `/tasks/api/executions/${encodeURIComponent(id)}`)
      for (const task of [...TASK_NAMES, 'a b', '../..'])
        await same(t, 'GET', `/tasks/api/tasks/${encodeURIComponent(task)}/executions?limit=2`)
      await same(t, 'PUT', '/tasks/api/schedules/s%2F2/enable')
      await same(t, 'GET', '/tasks/api/schedules?limit=1&search=%F0%9F%8E%89%20%2B&enabled_only=true')
    })

    t.test('a repeated query parameter is refused with 400', async t => {
      for (const path of ['executions', 'failures', 'timeseries', 'schedules', 'tasks/email%3Asend/executions']) {
        for (const query of [
          'task_name=email%3Asend&task_name=payroll', 'task_name=a&task%5Fname=a', 'search=task:a&search=task:b', 'task_name[]=a',
          'task_name[0]=a&task_name[1]=b'
        ]) {
          await same(t, 'GET', `/tasks/api/${path}?${query}`)
          t.equal((await ask('GET', `/tasks/api/${path}?${query}`)).status, 400, `${path}?${query}`)
        }
      }
    })

    t.test('errors get the same response as in Fastify', async t => {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
        for (const url of ['/tasks/api/none', '/tasks/api/stats', '/tasks/api']) await same(t, method, url)
      for (const url of ['/tasks/api/none', '/tasks/api/stats']) await same(t, 'OPTIONS', url)
      await same(t, 'POST', '/tasks/schedules', JSON_TYPE, '{}')
      await same(t, 'GET', '/tasks/api/executions?limt=1')
      await same(t, 'POST', '/tasks/api/schedules/cron', JSON_TYPE, '{')
      await same(t, 'POST', '/tasks/api/schedules/cron', JSON_TYPE, JSON.stringify({ ...GOOD, cron: '* *' }))
      await same(t, 'POST', '/tasks/api/schedules/cron', { 'content-type': 'text/plain' }, JSON.stringify(GOOD))
      await same(t, 'PUT', '/tasks/api/schedules/s-1/disable', { 'sec-fetch-site': 'cross-site' })
      for (const path of ['/tasks/api/tasks/%ff', '/tasks/tasks/%E0%A4%A?x=%ff']) {
        const malformed = await ask('GET', path)
        t.equal(malformed.status, host.malformed ?? 400, path)
        if (!host.malformed) t.match(malformed.json(), { code: 'INVALID_INPUT', detail: /percent-encoded/, instance: path.split('?')[0] })
      }
      t.equal((await ask('GET', '/tasksX/api/stats')).status, 404, 'a longer name is another address')
    })

    t.test('a POST creates a schedule at its Location, and a body of a megabyte is refused, with or without Content-Length', async t => {
      const made = await ask('POST', '/tasks/api/schedules/cron', { headers: JSON_TYPE, body: JSON.stringify(GOOD) })
      t.equal(made.status, 201)
      const location = new URL(made.headers.get('location')!, `${address}/tasks/api/schedules/cron`)
      t.match((await ask('GET', location.pathname)).json(), GOOD)
      const large = JSON.stringify({ ...GOOD, description: 'x'.repeat(1024 * 1024) })
      for (const isAnnounced of [true, false])
        t.match(await sendLarge(`${address}/tasks/api/schedules/cron`, large, isAnnounced), { status: 413, code: 'BODY_TOO_LARGE' })
    })

    t.test('an unchanged resource is answered with 304', async t => {
      const first = await ask('GET', '/tasks/api/tasks')
      const again = await ask('GET', '/tasks/api/tasks', { headers: { 'if-none-match': first.headers.get('etag')! } })
      t.match({ status: again.status, text: again.text }, { status: 304, text: '' })
    })

    t.test('pages and deep links find their mount and its files, with and without a trailing slash', async t => {
      for (const [mount, headers] of [['/tasks', {}], ['/ops/deep/tasks', { authorization: AUTHORIZATION }]] as const) {
        for (const path of ['', '/', '/schedules', '/schedules/', '/tasks/x/y?execution=a%2Fb%20c#d']) {
          if (host.redirectsSlash && path.endsWith('/')) continue
          const page = await ask('GET', mount + path, { headers })
          t.equal(page.status, 200, mount + path)
          const base = new URL(/<base href="([^"]*)">/.exec(page.text)![1]!, `${address}${mount}${path}`)
          t.equal(base.pathname, `${mount}/`, `base of ${mount}${path}`)
          const file = new URL(/(\.\/assets\/[^"]+\.js)"/.exec(page.text)![1]!, base)
          const asset = await ask('GET', file.pathname, { headers })
          t.match(
            { status: asset.status, type: asset.headers.get('content-type'), cache: asset.headers.get('cache-control') },
            { status: 200, type: /javascript/, cache: /immutable/ }
          )
          t.equal((await ask('HEAD', mount + path, { headers })).text, '')
        }
        t.equal((await ask('GET', `${mount}/assets/none.js`, { headers })).status, 404)
      }
    })

    t.test('a stream arrives piece by piece and ends when its reader leaves', async t => {
      const leaving = new AbortController()
      const response = await fetch(`${address}/tasks/probe/stream`, { signal: leaving.signal })
      const reader = response.body!.getReader()
      const first = new TextDecoder().decode((await reader.read()).value)
      t.match(first, /^data: \d+\n\n/)
      t.ok(stream.sent() < 20, 'the first piece arrives before the last is made')
      t.equal(stream.open(), 1)
      leaving.abort()
      await waitFor('the stream to end', async () => stream.open() === 0)
    })

    t.test('a password protects everything below its mount', async t => {
      for (const url of ['/ops/deep/tasks', '/ops/deep/tasks/api/stats', '/ops/deep/tasks/assets/none.js']) {
        const refused = await ask('GET', url)
        t.match(
          { status: refused.status, challenge: refused.headers.get('www-authenticate') }, { status: 401, challenge: /^Basic realm=/ }, url
        )
        t.match(refused.json(), { code: 'UNAUTHENTICATED', instance: url })
        t.equal((await ask('GET', url, { headers: { authorization: `Basic ${btoa('ana:wrong')}` } })).status, 401)
      }
      t.match(
        (await ask('GET', '/ops/deep/tasks/api/session', { headers: { authorization: AUTHORIZATION } })).json(),
        { title: 'Two', user: 'ana' }
      )
      t.match((await ask('GET', '/tasks/api/session')).json(), { title: 'One', user: null })
    })

    t.test('identify() names the user, and a browser without access gets a page with a link to sign in', async t => {
      await leadsToSignIn(t, (method, path, headers) => ask(method, path, { headers }), named)
    })

    t.test('an address spelt differently from the mount is not answered', async t => {
      const { version } = (await ask('GET', '/tasks/api/schedules/s-1')).json()
      for (const path of misspellingsOf('/tasks')) {
        // URL parsing removes dots and backslashes before anybody sees the path.
        if (!host.knowsSocket && URL.canParse(path, address) && /^\/tasks(\/|$)/.test(new URL(path, address).pathname)) continue
        if (host.ignoresCase && path.toLowerCase() === '/tasks') continue
        for (const [method, below] of [['GET', '/api/stats'], ['GET', ''], ['PATCH', '/api/schedules/s-1']] as const) {
          const { status, body } = await askLiterally(address, method, path + below)
          t.ok(status >= 300 && !/generated_at|task-dashboard-session|schedule_id/.test(body), `${method} ${path}${below} is ${status}`)
        }
      }
      t.equal((await ask('GET', '/tasks/api/schedules/s-1')).json()['version'], version, 'nothing was changed')
    })

    t.test('of random spellings, only those that start with the mount are answered', async t => {
      const seed = Number(process.env['SPELLING_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
      const { version } = (await ask('GET', '/tasks/api/schedules/s-1')).json()
      const spellings = spellingsAtRandom('/tasks', seed, isSoak ? 2_000 : 100).filter(target => !/[\0-\x20]/.test(target))
      const faults: string[] = []
      let answered = 0
      await inBatches(spellings, 15, async target => {
        const { status, body } = await askLiterally(address, 'GET', target)
        const fault = (what: string): void => { faults.push(`${what}: GET ${target} is ${status}`) }
        // URL parsing removes dots and backslashes before anybody sees the path.
        const seen = !host.knowsSocket && URL.canParse(target, address) ? new URL(target, address).pathname : target.split(/[?#]/, 1)[0]!
        if (/\n[ \t]+at |node_modules|\.[jt]s:\d/.test(body)) fault('reveals internals')
        if (!/generated_at|task-dashboard-session|schedule_id/.test(body)) return
        answered++
        if (!/^\/tasks(?:\/|$)/.test(host.ignoresCase ? seen.toLowerCase() : seen)) fault('answered')
        // The path below the mount must match literally as well. A page contains statistics too.
        const isAnswer = body.startsWith('{') && body.includes('generated_at')
        if (isAnswer && seen.replace(/^\/tasks/i, '').replace(/\/+/g, '/') !== '/api/stats') fault('the statistics')
      })
      t.strictSame(faults, [], `SPELLING_SEED=${seed}`)
      t.ok(answered > 0, 'the first one is spelt correctly')
      t.equal((await ask('GET', '/tasks/api/schedules/s-1')).json()['version'], version)
    })

    t.test('only true grants access', async t => {
      await onlyTrueOpens(t, (method, path, headers) => ask(method, path, { headers }), decided)
    })

    t.test('without configured access only requests from this machine are answered, and none if the host has no socket', async t => {
      const plain = await ask('GET', '/local/api/stats')
      if (host.knowsSocket) t.equal(plain.status, 200)
      else t.match(plain.json(), { status: 403, code: 'NOT_LOCAL', detail: /auth: \{ username, password \}/ })
      for (const headers of [{ 'x-forwarded-for': '127.0.0.1' }, { forwarded: 'for=127.0.0.1' }, { 'x-real-ip': '127.0.0.1' }]) {
        t.match((await ask('GET', '/local/api/stats', { headers })).json(), { status: 403, code: 'NOT_LOCAL' }, JSON.stringify(headers))
      }
      t.match(await withHost(`${address}/local/api/stats`, 'elsewhere.example'), { status: 403 })
      // A target with an authority is meant for a proxy. The host responds with 404, or the dashboard sees that the request was meant for
      // another host. A host that merges slashes reads `http://` as a path with two of them, and redirects.
      for (const authority of ['elsewhere.example', '127.0.0.1.elsewhere.example', '127.0.0.1@elsewhere.example']) {
        const { status, body } = await askLiterally(address, 'GET', `http://${authority}/local/api/stats`)
        t.ok((status >= 400 || (host.redirectsSlash && status === 308)) &&
          !body.includes('generated_at'), `the target http://${authority} is ${status}`)
      }
    })
  })

  if (host.startParsing) {
    t.test(`${name} may have parsed the body already`, async t => {
      const prefix = '/tasks'
      const address = await host.startParsing!(t, [{ prefix, queueApp: sampleQueueApp(), options: { access: 'host' } }])
      const post = (body: string, headers = JSON_TYPE) => asking(address)('POST', '/tasks/api/schedules/cron', { headers, body })
      t.match((await post(JSON.stringify(GOOD))).json(), GOOD)
      t.match((await post(JSON.stringify(GOOD, null, 8))).json(), GOOD)
      t.match((await post(JSON.stringify({ ...GOOD, cron: '* *' }))).json(), { status: 400, errors: [{ pointer: '/cron' }] })
      t.match((await post(JSON.stringify({ ...GOOD, description: 'x'.repeat(200_000) }))).json(), { status: 413 })
      t.equal((await asking(address)('PUT', '/tasks/api/schedules/s-1/disable', { headers: JSON_TYPE, body: '{}' })).status, 200)
      t.equal((await asking(address)('PUT', '/tasks/api/schedules/s-1/disable')).status, 200)
    })
  }
}
