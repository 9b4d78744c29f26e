import Fastify from 'fastify'
import t from 'tap'
import { answerUnchanged } from '../../../lib/dashboard/http/etag.ts'

t.test('the ETag of a response changes with its content, but not with the time of the read', async t => {
  const answers: object[] = []
  const app = Fastify()
  t.teardown(() => app.close())
  app.addHook('preSerialization', answerUnchanged)
  app.get('/', { config: { polled: true } as object }, async () => answers.shift())
  const tagOf = async (answer: object): Promise<unknown> => {
    answers.push(answer)
    return (await app.inject('/')).headers['etag']
  }
  const tag = await tagOf({ failed: 1, generated_at: '2026-01-01T00:00:00.000Z' })
  t.match(tag, /^W\/"[\w-]{22}"$/)
  t.equal(await tagOf({ failed: 1, generated_at: '2026-01-01T00:00:01.000Z' }), tag)
  t.not(await tagOf({ failed: 2, generated_at: '2026-01-01T00:00:00.000Z' }), tag)
  t.not(await tagOf({ items: [{ generated_at: 1 }] }), await tagOf({ items: [{ generated_at: 2 }] }), 'data from outside counts as content')
  t.match(await tagOf({ version: 'v1', failed: 1 }), /^W\/"v1~[\w-]{22}"$/)
})
