/**
 * A function that caches its result for each text. When there are `max` results, it forgets all of them.
 * @param compute must always return the same result for the same text
 */
export function remembered<Result extends object | string>(compute: (text: string) => Result, max: number): (text: string) => Result {
  const results = new Map<string, Result>()
  return text => {
    const known = results.get(text)
    if (known !== undefined) return known
    if (results.size >= max) results.clear()
    const computed = compute(text)
    results.set(text, computed)
    return computed
  }
}
