import type { RedisStore } from '../../../stores/store.ts'
import type { Cost } from '../../listing/access-path.ts'
import type { FinishedQuery } from '../../result-backend.ts'
import { createScript } from '../script.ts'
import type { RedisPath } from './access-paths.ts'

/** The number of executions of each path within the time range, which is cheap to count. */
export async function estimateCosts(store: RedisStore, paths: readonly RedisPath[], { from, to }: FinishedQuery): Promise<Cost[]> {
  const counts = await countScript(store.client, paths.flatMap(path => path.lists), {
    from: from ?? '-inf', to: to === undefined ? '+inf' : `(${to}`, sizes: paths.map(path => path.lists.length)
  }) as number[]
  return counts.map(count => [count])
}

/** Counts the members within a time range: of the first `sizes[1]` lists together, then of the next `sizes[2]`, and so on. */
const countScript = createScript(`
local counts, key = {}, 0
for i, size in ipairs(given.sizes) do
  counts[i] = 0
  for _ = 1, tonumber(size) do
    key = key + 1
    counts[i] = counts[i] + redis.call('ZCOUNT', KEYS[key], given.from, given.to)
  end
end
return counts
`)
