import { createHash } from 'node:crypto'
import type { RedisStore } from '../../stores/store.ts'
import { type LuaMap, createPackWriter } from './pack-writer.ts'

/** Responses are numbers and bytes, because packed ids are not text. */
export type Script = (client: RedisStore['client'], keys: readonly string[], given: LuaMap | Buffer) => Promise<unknown>

const writer = createPackWriter()

/**
 * A Lua script. It finds its parameters by name in the table `given` (see `PackWriter.value`). A buffer must contain such a map in packed
 * form. Without parameters `given` is nil. Only the digest is sent, unless the server does not know the script (yet, or after a restart).
 */
export function createScript(body: string): Script {
  const lua = `local given = ARGV[1] and cmsgpack.unpack(ARGV[1])\n${body}`
  const digest = createHash('sha1').update(lua).digest('hex')
  return async (client, keys, given) => {
    const parameters = toParameters(given)
    try {
      return await client.callBuffer('EVALSHA', digest, keys.length, ...keys, ...parameters)
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
      return client.callBuffer('EVAL', lua, keys.length, ...keys, ...parameters)
    }
  }
}

/** None for an empty map, because a command without bytes is sent as one text, which is faster. */
function toParameters(given: LuaMap | Buffer): Buffer[] {
  if (Buffer.isBuffer(given)) return [given]
  if (Object.keys(given).length === 0) return []
  writer.value(given)
  return [writer.toBuffer()]
}

/** Lua's own `<` depends on the server's locale. Sorted sets, and we, compare bytes. */
export const LUA_BYTES_LESS = `
local function less(a, b)
  local length = math.min(#a, #b)
  for i = 1, length do
    local x, y = string.byte(a, i), string.byte(b, i)
    if x ~= y then return x < y end
  end
  return #a < #b
end
`
