import fc from 'fast-check'
import { isTaskDashboardError } from '../../../lib/errors.ts'

interface Item { text: string; matches: (value: number) => boolean }

/** Items of a field with their meaning, generated without the parser under test. */
function fieldOf(min: number, max: number): fc.Arbitrary<Item> {
  const value = fc.integer({ min, max })
  const step = fc.integer({ min: 1, max: max - min + 1 })
  const range = fc.tuple(value, value).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)
  const item: fc.Arbitrary<Item> = fc.oneof(
    value.map(v => ({ text: String(v), matches: (x: number) => x === v })),
    range.map(([a, b]) => ({ text: `${a}-${b}`, matches: (x: number) => x >= a && x <= b })),
    fc.tuple(range, step).map(([[a, b], s]) => ({ text: `${a}-${b}/${s}`, matches: (x: number) => x >= a && x <= b && (x - a) % s === 0 })),
    step.map(s => ({ text: `*/${s}`, matches: (x: number) => (x - min) % s === 0 }))
  )
  const list = fc.array(item, { minLength: 1, maxLength: 3 }).map(items => ({
    text: items.map(({ text }) => text).join(','), matches: (x: number) => items.some(({ matches }) => matches(x))
  }))
  return fc.oneof({ weight: 1, arbitrary: fc.constant({ text: '*', matches: () => true }) }, { weight: 1, arbitrary: list })
}

export const expressions = fc.tuple(fieldOf(0, 59), fieldOf(0, 23), fieldOf(1, 31), fieldOf(1, 12), fieldOf(0, 6))
export const isImpossible = (error: unknown): boolean => isTaskDashboardError(error) && /never matches/.test(error.message)
