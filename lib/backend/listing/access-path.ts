import type { Filter } from './filter-names.ts'

/** A way to read executions in finish order. The driver defines what a list is: a sorted set, or rows of an index. */
export interface AccessPath<List> {
  /** Each in finish order. They are disjoint, and together they contain everything that matches the query. */
  readonly lists: readonly List[]
  /** Filters that every execution in the lists already matches. */
  readonly covers: ReadonlySet<Filter>
}

export interface ChosenPath<List> {
  readonly path: AccessPath<List>
  /** Filters that the path does not cover: each row must be checked against them. */
  readonly remaining: readonly Filter[]
}

/** Compared lexicographically: the first number that differs decides. */
export type Cost = readonly number[]

/**
 * Prefers a path that covers every filter, then one without lists (nothing matches), then the cheapest.
 * @param estimateCosts called only if costs decide; returns one per path, in their order
 */
export async function choosePath<List>(
  paths: ReadonlyArray<AccessPath<List>>, filters: readonly Filter[], estimateCosts: () => Promise<readonly Cost[]>
): Promise<ChosenPath<List>> {
  const covering = paths.find(({ covers }) => filters.every(filter => covers.has(filter)))
  if (covering !== undefined) return { path: covering, remaining: [] }
  const empty = paths.find(({ lists }) => lists.length === 0)
  const path = empty ?? (paths.length === 1 ? paths[0]! : cheapestOf(paths, await estimateCosts()))
  return { path, remaining: filters.filter(filter => !path.covers.has(filter)) }
}

/** Ties go to the first. */
export function cheapestOf<Path>(paths: readonly Path[], costs: readonly Cost[]): Path {
  const [cheapest] = paths.map((path, i) => ({ path, cost: costs[i]! })).sort((a, b) => compareCosts(a.cost, b.cost))
  return cheapest!.path
}

function compareCosts(a: Cost, b: Cost): number {
  const decisive = a.findIndex((number, i) => number !== b[i])
  return decisive < 0 ? 0 : a[decisive]! - b[decisive]!
}
