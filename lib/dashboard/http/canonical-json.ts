import { isObject } from '../../json/is-object.ts'

/** JSON with sorted object keys, so that equal values give equal text. For values that were parsed from JSON. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => isObject(member)
    ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => one < other ? -1 : 1))
    : member)
}
