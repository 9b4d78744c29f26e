/**
 * Problems with options that have no value, for example because an environment variable is not set. For options whose default would be
 * harmful by accident: a queue in memory instead of on Redis, no password instead of one.
 * @param whatIf per name, what omitting the option means; null if it is required
 * @param prefix of the names, as in `auth.`
 * @returns a sentence per name
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
