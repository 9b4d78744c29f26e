/**
 * Every command of the scripts that change existing queues, with arguments that change nothing: `meta`, the settings of the queue, is
 * a hash, so a command for another type fails on it.
 */
const TRIALS: Readonly<Record<string, string>> = {
  DEL: 'none', EXISTS: 'meta', GET: 'meta', HDEL: 'meta, none', HEXISTS: 'meta, none', HMGET: 'meta, none',
  HSET: `meta, 'version', version`, INCR: 'meta', LLEN: 'meta', LPOP: 'meta', LPOS: `meta, ''`, LPUSH: `meta, ''`,
  LREM: `meta, 1, ''`, RENAME: 'none, none', RPOPLPUSH: 'meta, meta', RPUSH: `meta, ''`, TYPE: 'meta', XADD: `meta, '*', 'event', ''`,
  ZADD: `meta, 0, ''`, ZRANGE: 'meta, 0, 0', ZREM: `meta, ''`, ZREVRANGEBYSCORE: 'meta, 0, 0', ZSCORE: `meta, ''`
}

export const TRIED_COMMANDS: readonly string[] = Object.keys(TRIALS)

/**
 * Lua that only continues if the user may run every command. If a command is refused, Redis keeps what the script has written before it, so
 * a job could be taken from one list and never put into another. Source of the words: `getAclErrorMessage` in redis/src/acl.c of 7,
 * `luaRedisGenericCommand` in scripting.c of 6.2.
 */
export const CHECK_RIGHTS = `
local none = queue .. 'none of these'
for _, trial in ipairs({${Object.entries(TRIALS).map(([command, given]) => `{'${command}', ${given}}`).join(', ')}}) do
  local answer = redis.pcall(unpack(trial))
  local refusal = type(answer) == 'table' and answer.err or ''
  for _, words in ipairs({'no permissions', "can't run this command", "can't access at least one"}) do
    if string.find(refusal, words, 1, true) then return answer end
  end
end
`
