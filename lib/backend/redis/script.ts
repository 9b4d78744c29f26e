import { createHash } from 'node:crypto'
import type { RedisStore } from '../../stores/store.ts'

/** Text and bytes in; numbers and bytes out, since packed ids are no text. */
export type Script = (client: RedisStore['client'], keys: readonly string[], parameters: ReadonlyArray<string | number | Buffer>) => Promise<unknown>

/** A Lua script, sent by its digest and in full only to a server that does not know it (yet, or after a restart). */
export function createScript(lua: string): Script {
  const digest = createHash('sha1').update(lua).digest('hex')
  return async (client, keys, parameters) => {
    try {
      return await client.callBuffer('EVALSHA', digest, keys.length, ...keys, ...parameters)
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
      return client.callBuffer('EVAL', lua, keys.length, ...keys, ...parameters)
    }
  }
}

/** Lua's own `<` follows the server's locale; sorted sets, and we, go by bytes. */
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
