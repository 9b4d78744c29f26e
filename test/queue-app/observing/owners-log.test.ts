import t from 'tap'
import { postgresUrl, redisUrl } from '../../support/servers/stores.ts'
import { checkOwnersLog, KEPT } from './owners-log.ts'

for (const [store, major, urlOf] of [['Redis', 5, redisUrl], ['Redis', 6, redisUrl], ['PostgreSQL', 6, postgresUrl]] as const) {
  for (const [name, keep] of KEPT) {
    t.test(`under load, everything shown of BullMQ ${major} on ${store} equals the log of the workers whose queue ${name}`, async t => {
      await checkOwnersLog(t, { major, url: await urlOf(t) }, keep)
    })
  }
}
