import t from 'tap'
import { checkServer } from '../../../../lib/stores/redis/checks/check-server.ts'
import { OLDEST_OBSERVED } from '../../../../lib/stores/redis/checks/info.ts'
import type { RedisSource } from '../../../../lib/stores/redis/source/redis-source.ts'
import type { RedisClient } from '../../../../lib/stores/store.ts'

t.test('a server that is too old is refused, and one with existing queues may be a little older', async t => {
  const check = (version: string, oldest?: string): Promise<string> => checkServer(
    { info: async () => `redis_version:${version}\r\nredis_mode:standalone\r\nmaxmemory_policy:noeviction\r\n` } as unknown as RedisClient,
    { label: 'redis://a', options: {} } as RedisSource, { namespace: '', role: 'broker', onError: error => t.fail(error.message) }, oldest
  ).catch((error: Error) => error.message)
  const tooOld = (version: string, needed: string): string =>
    `The broker at redis://a cannot be used: it is version ${version}; ${needed} or newer is needed`
  for (const [version, own, observed] of [
    ['5.0.14', tooOld('5.0.14', '6.2'), tooOld('5.0.14', '6.0.6')],
    ['6.0.5', tooOld('6.0.5', '6.2'), tooOld('6.0.5', '6.0.6')],
    ['6.0.6', tooOld('6.0.6', '6.2'), 'single'],
    ['6.0.16', tooOld('6.0.16', '6.2'), 'single'],
    ['6.2.0', 'single', 'single'],
    ['6.2', 'single', 'single'],
    ['7.0.15', 'single', 'single'],
    ['10.0.0', 'single', 'single']
  ] as const) {
    t.equal(await check(version), own, version)
    t.equal(await check(version, OLDEST_OBSERVED), observed, `${version}, observed`)
  }
})
