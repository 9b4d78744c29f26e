import t from 'tap'
import { resolveQueueAppOptions } from '../../lib/queue-app/options.ts'

t.test('options have defaults and are frozen', async t => {
  const options = resolveQueueAppOptions()
  t.match(options, { broker: 'embedded:', backend: 'embedded:', namespace: 'tasks', stopGraceMs: 10_000 })
  t.ok(Object.isFrozen(options))
  t.equal(resolveQueueAppOptions({ broker: 'redis://localhost' }).backend, 'redis://localhost')
})

t.test('every problem is listed in one error', async t => {
  const options = { broker: 7, namespace: 'Über', stopGraceMs: -1, onError: 'log', brokerUrl: 'redis://localhost' } as unknown as object
  t.throws(() => resolveQueueAppOptions(options), { code: 'INVALID_OPTIONS', message: /brokerUrl is not an option.*broker must be.*namespace.*stopGraceMs.*onError/ })
})
