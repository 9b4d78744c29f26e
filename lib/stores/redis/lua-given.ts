/** Values by name. What is undefined is nil in the script. */
export type Given = Readonly<Record<string, string | number | undefined>>

/**
 * Lua, at the head of a script: the table `given` with what `toArguments` sends. Every value is text, as in ARGV. Costs half a
 * microsecond a call, and changes no text or long number, as JSON would. Scripts with rows of a few values keep their positions: names in
 * every row would double what is sent.
 */
export const LUA_GIVEN = `
local given = {}
for i = 1, #ARGV, 2 do given[ARGV[i]] = ARGV[i + 1] end
`

/** The arguments of a script that begins with `LUA_GIVEN`. */
export function toArguments(given: Given): Array<string | number> {
  return Object.entries(given).flatMap(([name, value]) => value === undefined ? [] : [name, value])
}
