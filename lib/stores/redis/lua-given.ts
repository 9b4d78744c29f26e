/** Values by name. An undefined value is nil in the script. */
export type Given = Readonly<Record<string, string | number | undefined>>

/**
 * Lua for the start of a script: puts what `toArguments` sends into the table `given`. Every value is text, as in ARGV. This costs half a
 * microsecond per call and, unlike JSON, changes no text and no long number. Scripts that get many rows of a few values read them by
 * position instead: names in every row would double what is sent.
 */
export const LUA_GIVEN = `
local given = {}
for i = 1, #ARGV, 2 do given[ARGV[i]] = ARGV[i + 1] end
`

/** The arguments of a script that begins with `LUA_GIVEN`. */
export function toArguments(given: Given): Array<string | number> {
  return Object.entries(given).flatMap(([name, value]) => value === undefined ? [] : [name, value])
}
