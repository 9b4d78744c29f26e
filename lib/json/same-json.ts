/** Whether two values are the same JSON, ignoring key order, which stores may change. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  return JSON.stringify(one) === JSON.stringify(other) || toComparable(one) === toComparable(other)
}

function toComparable(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => item !== null && typeof item === 'object' && !Array.isArray(item)
    ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => a < b ? -1 : 1))
    : item)
}
