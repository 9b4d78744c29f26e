/**
 * Problems of options that are given without a value, as by an environment variable that is not set. It is for options whose default
 * would do harm where something else was meant: a queue in memory instead of on Redis, an open door instead of a password.
 * @param whatIf by name, what leaving the option out means; null where it cannot be left out
 * @param prefix of the names, as in `auth.`
 * @returns a sentence for each, by name
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

/** Whether a value is what a variable that is not set leaves behind. */
export function isUnset(value: unknown): value is undefined | null | '' {
  return value === undefined || value === null || value === ''
}
