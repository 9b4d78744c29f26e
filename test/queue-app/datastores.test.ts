import t from 'tap'
import { QueueApp } from '../../lib/index.ts'
import { embeddedUrl, postgresUrl, startRedis } from '../support/servers/stores.ts'

t.test('datastores() has the version of each store and what survives a crash', async t => {
  const [forgetful, durable] = await Promise.all([startRedis(t, { persistent: false }), startRedis(t)])
  const apps = [
    [
      { broker: forgetful.url, backend: durable.url },
      {
        broker: { kind: 'redis', version: /^\d+\.\d+/, evictionPolicy: 'noeviction', persistence: 'none' },
        backend: { persistence: /^(log|snapshots)$/ }
      }
    ],
    [
      { broker: await postgresUrl(t), backend: await embeddedUrl(t) },
      {
        broker: { kind: 'postgres', version: /^\d+/, evictionPolicy: null, persistence: 'log' },
        backend: { kind: 'embedded', version: /^\d+/, persistence: 'log' }
      }
    ],
    [{}, { broker: { kind: 'embedded', persistence: 'memory' }, backend: { persistence: 'memory' } }]
  ] as const
  for (const [options, expected] of apps) {
    const queueApp = QueueApp.fromUrls(options)
    t.match(await queueApp.monitoring.datastores(), { broker: { version: null, persistence: null } }, 'unknown before start()')
    await queueApp.start()
    t.match(await queueApp.monitoring.datastores(), expected)
    await queueApp.stop()
  }
})
