/** Lua: `now`, the server's time in milliseconds since the epoch. */
export const LUA_NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`
