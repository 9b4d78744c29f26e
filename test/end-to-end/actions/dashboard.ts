import { Writable } from 'node:stream'
import fastify from 'fastify'
import type { Test } from 'tap'
import { dashboardPlugin, type QueueApp } from '../../../lib/index.ts'
import { isAllowed, type Person } from './access.ts'
import type { Deputy, Write } from './noun.ts'

/** The fields of a write in a line of the log. */
export interface Line {
  readonly actor: string | null
  readonly action: string
  readonly outcome: string
  readonly code: string | null
  readonly reason: string | null
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Dashboard = Awaited<ReturnType<typeof openDashboard>>

/** One server for everybody, with a second mount that is read-only. A header names the user. */
export async function openDashboard(t: Test, queueApp: QueueApp) {
  const lines: Line[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, next) {
      const { audit } = JSON.parse(chunk.toString()) as { audit?: Line }
      if (audit !== undefined) lines.push(audit)
      next()
    }
  })
  const server = fastify({ disableRequestLogging: true, logger: { stream } })
  for (const [prefix, readOnly] of [['/tasks', false], ['/read', true]] as const) {
    await server.register(dashboardPlugin, {
      prefix, queueApp, readOnly, rateLimit: { writesPerMinute: 1_000_000 },
      authorize({ headers }, action) {
        if (headers['x-person'] === 'nobody') throw Object.assign(new Error('who are you?'), { statusCode: 401 })
        return isAllowed(headers['x-person'], action)
      },
      identify: ({ headers }) => headers['x-person'] === 'nobody' ? null : String(headers['x-person']),
      scope({ headers: { 'x-person': person } }) {
        return person === 'own' || person === 'other' ? name => name.startsWith(`${person}:`) : null
      }
    })
  }
  t.teardown(() => server.close())

  const ask = (person: Person | 'deputy', method: Method, { path, body, headers }: Write) => server.inject({
    method, url: `${person === 'reader of a read-only app' ? '/read' : '/tasks'}/api${path}`,
    headers: { 'x-person': person, ...headers }, ...body !== undefined && { payload: body }
  })
  /** Repeats requests that got a 503, which did nothing: a very busy machine misses a deadline now and then. */
  const askPatiently: typeof ask = async (...request) => {
    for (let tries = 0; ; tries++) {
      const answer = await ask(...request)
      if (answer.statusCode !== 503 || tries === 5) return answer
    }
  }
  const deputy: Deputy = {
    read: async <Body>(path: string) => (await askPatiently('deputy', 'GET', { path: `/${path}` })).json<Body>(),
    write: (method, path, body) => askPatiently('deputy', method, { path: `/${path}`, ...body !== undefined && { body } })
  }
  return { lines, ask: askPatiently, deputy }
}
