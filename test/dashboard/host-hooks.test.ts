import Fastify from 'fastify'
import t from 'tap'
import { dashboardPlugin } from '../../lib/dashboard/plugin.ts'
import { sampleQueueApp } from './sample-queue-app.ts'

void t.test('whatever a hook of the host throws, the response is a problem document without its text', async t => {
  const SECRET = 'the text of the host'
  const failures: Array<[name: string, fail: () => unknown]> = [
    ['throws an error', () => { throw new Error(SECRET) }],
    [
      'throws an error with a status and headers',
      () => { throw Object.assign(new Error(SECRET), { statusCode: 418, headers: { 'x-secret': SECRET } }) }
    ],
    [
      'throws an error of validation',
      () => {
        throw Object.assign(new Error(SECRET), {
          code: 'FST_ERR_VALIDATION', validation: [{ message: SECRET, instancePath: SECRET, keyword: 'x', params: {} }]
        })
      }
    ],
    // oxlint-disable-next-line typescript/only-throw-error
    ['throws nothing', () => { throw undefined }],
    // oxlint-disable-next-line typescript/only-throw-error
    ['throws text', () => { throw SECRET }],
    ['returns no payload', () => 42]
  ]
  for (const hook of [
    'onRequest', 'preParsing', 'preValidation', 'preHandler', 'preSerialization', 'onSend', 'onError', 'onResponse'
  ] as const) {
    for (const [name, fail] of failures) {
      const host = Fastify()
      let isFailing = false
      // These hooks have to return a payload, and the others take fewer arguments.
      if (hook === 'onSend' || hook === 'preSerialization' || hook === 'preParsing')
        host.addHook(hook as 'onSend', async (_request, _reply, payload) => isFailing ? fail() : payload)
      else host.addHook(hook as 'onRequest', async () => { if (isFailing) fail() })
      await host.register(dashboardPlugin, { prefix: '/tasks', queueApp: sampleQueueApp(), access: 'host' })
      for (const [method, url, without] of [
        ['GET', '/tasks/api/stats', 200], ['HEAD', '/tasks/api/stats', 200], ['GET', '/tasks/', 200], ['GET', '/tasks/api/none', 404],
        ['POST', '/tasks/api/schedules/s-1/run', 202]
      ] as const) {
        isFailing = true
        const { statusCode, headers, body } = await host.inject({ method, url })
        isFailing = false
        const title = `${hook} ${name}: ${method} ${url} is ${statusCode}`
        t.notMatch(body + JSON.stringify(headers), SECRET, title)
        if (statusCode === without && statusCode < 400) continue
        t.ok(statusCode === 500 || statusCode === 418 || statusCode === 400 || statusCode === without, title)
        t.match(
          headers,
          {
            'content-type': 'application/problem+json', 'cache-control': 'no-store', 'x-frame-options': 'DENY', etag: undefined,
            location: undefined
          },
          title
        )
        if (method !== 'HEAD')
          t.match(JSON.parse(body), { status: statusCode, code: /^(INTERNAL|HTTP_418|HTTP_400|NOT_FOUND)$/, instance: url }, title)
      }
      // A failure is not permanent.
      t.equal((await host.inject('/tasks/api/stats')).statusCode, 200)
      await host.close()
    }
  }
})
