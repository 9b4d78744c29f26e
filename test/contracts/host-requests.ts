import { readFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { ROOT } from '../support/source-files.ts'
import { dashboardPlugin } from '../../lib/index.ts'
import { sampleQueueApp, type SampleQueueApp } from '../dashboard/sample-queue-app.ts'

interface Operation { readonly parameters?: ReadonlyArray<{ name: string; in: string }>; readonly requestBody?: object }

type Paths = Record<string, Record<string, Operation>>

export const { paths } = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as { paths: Paths }
export const GOOD = { task_name: 'email:send', cron: '0 9 * * 1', description: 'two\nlines 🎉', args: [1, { a: '</script>' }] }
export const JSON_TYPE = { 'content-type': 'application/json' }

interface Answer { status: number; headers: Headers; text: string; json(): Record<string, unknown> }

export function asking(address: string) {
  return async (method: string, path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(address + path, { redirect: 'manual', ...init, method })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) }
  }
}

/** A sample app without audit log entries, because these contain the times and ids of each app's own requests. */
export function comparableQueueApp(): SampleQueueApp {
  const kept = { maxAgeMs: 864e5, maxCount: 1000 }
  return sampleQueueApp({ monitoring: { auditEntries: async () => ({ entries: [], nextCursor: null, complete: true, kept }) } })
}

export async function createReference(t: Test, prefix: string): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(dashboardPlugin, { prefix, queueApp: comparableQueueApp(), access: 'host', title: 'One' })
  return app
}

/** A valid request for an operation. */
export function exampleOf(path: string, { parameters = [], requestBody }: Operation): { url: string; body?: string } {
  const url = path.replace('{name}', encodeURIComponent('reports/daily')).replace('{group}', 'abc')
    .replace('{id}', path.includes('executions') ? 'e-1' : 's-1')
  const query = parameters.some(({ name }) => name === 'cron') ? '?cron=0%209%20*%20*%201' : ''
  if (!requestBody) return { url: url + query }
  return { url, body: JSON.stringify(path.endsWith('interval') ? { task_name: '日報', interval_ms: 60_000 } : GOOD) }
}

/** Removes what differs between two requests. In the doctor's response, only the path is the same on all hosts and ports. */
export function withoutMoment(body: string): string {
  const path = /"request":\{"host":.*?"path":("[^"]*")/.exec(body)
  return path ? path[1]! : body.replace(/"(generated_at|request_id)":"[^"]*"/g, '')
}

/** A route of our own test, which sends events for as long as someone reads them. */
export function createStreamProbe() {
  let open = 0
  let sent = 0
  return {
    open: () => open,
    sent: () => sent,
    configure(app: FastifyInstance): void {
      app.get('/probe/stream', (_request, reply) => {
        open++
        const events = new Readable({ read() {} })
        const send = (): void => { events.push(`data: ${++sent}\n\n`) }
        send()
        const timer = setInterval(send, 100)
        reply.raw.once('close', () => { open--; clearInterval(timer); events.destroy() })
        void reply.header('content-type', 'text/event-stream').header('cache-control', 'no-cache, no-transform').send(events)
      })
    }
  }
}

/** Reads the response even if the server stops reading the request. */
export function sendLarge(url: string, body: string, isAnnounced: boolean): Promise<{ status: number; code: unknown }> {
  return new Promise((resolve, reject) => {
    // Its own connection, which the server may close because the body was not read to the end.
    const request = httpRequest(url, {
      agent: false, method: 'POST', headers: { ...JSON_TYPE, ...(isAnnounced ? { 'content-length': Buffer.byteLength(body) } : {}) }
    })
    let isAnswered = false
    request.once('error', error => { if (!isAnswered) reject(error) })
    request.once('response', response => {
      isAnswered = true
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => { text += chunk }).once('end', () => {
        request.destroy()
        resolve({ status: response.statusCode!, code: (JSON.parse(text) as { code: unknown }).code })
      })
    })
    for (let at = 0; at < body.length; at += 65_536) request.write(body.slice(at, at + 65_536))
    request.end()
  })
}

/** Unlike fetch(), sends the address unchanged. */
export function askLiterally(address: string, method: string, path: string): Promise<{ status: number; body: string }> {
  const { hostname, port } = new URL(address)
  const sent = method === 'PATCH' ? '{"description":"changed"}' : ''
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ` +
          `${sent.length}\r\n\r\n${sent}`
      )
    })
    let body = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => { body += chunk }).once('error', reject).once('close', () => {
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(body)?.[1] ?? 400), body })
    })
  })
}

/** Unlike fetch(), sends a chosen Host header. */
export function withHost(url: string, host: string): Promise<{ status: number }> {
  return new Promise((resolve, reject) => {
    httpRequest(url, { headers: { host } }, response => {
      response.resume()
      resolve({ status: response.statusCode! })
    }).once('error', reject).end()
  })
}
