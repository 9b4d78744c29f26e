import t from 'tap'
import { openObserved } from '../../../../lib/stores/redis/observing/open-observed.ts'
import { parseRedisSource } from '../../../../lib/stores/redis/source/redis-source.ts'
import { startRedis } from '../../../support/servers/stores.ts'

t.test('the reason that a server gives reaches the reader: a database that does not exist, a missing and a wrong password', async t => {
  const open = await startRedis(t, { databases: 16 })
  const locked = await startRedis(t, { password: 'right' })
  const cases: Array<[string, RegExp]> = [
    [`${open.url}/99`, /cannot be reached: the database number is out of range/],
    [locked.url.replace(':right@', ''), /cannot be reached: a password is needed/],
    [locked.url.replace('right', 'wrong'), /cannot be reached: wrong user name or password/]
  ]
  for (const [url, message] of cases) {
    const source = parseRedisSource({ url }, 'redis:', 'broker')
    await t.rejects(openObserved(source, () => {}), { code: 'STORE_UNREACHABLE', message }, url)
  }
})
