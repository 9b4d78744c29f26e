/**
 * Problems with options that have no value, for example because an environment variable is not set. Use it for options whose default would
 * be harmful if it applied by accident: a queue in memory instead of on Redis, or no password instead of one.
 * @param whatIf what omitting each option means; null if the option is required
 * @param prefix of the names, such as `auth.`
 * @returns a sentence for each name
 */
export function unsetProblems(options: object, whatIf: Readonly<Record<string, string | null>>, prefix = ''): ReadonlyMap<string, string> {
  return new Map(Object.entries(whatIf).flatMap(([name, meaning]) => {
    if (!(name in options)) return []
    const value = (options as Record<string, unknown>)[name]
    if (!isUnset(value)) return []
    const wayOut = meaning === null ? 'give it a value' : `give it a value, or leave it out for ${meaning}`
    return [
      [
        prefix + name,
        `${prefix}${name} is ${value === '' ? 'empty' : String(value)} (is an environment variable not set?): ${wayOut}`
      ]
    ]
  }))
}

/** Whether a value is what an unset variable leaves behind. */
export function isUnset(value: unknown): value is undefined | null | '' {
  return value === undefined || value === null || value === ''
}
