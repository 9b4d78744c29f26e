/** JSON in which the members of objects are in order, so that what is the same is the same text. For what came as JSON. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => isObject(member)
    ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => one < other ? -1 : 1))
    : member)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
