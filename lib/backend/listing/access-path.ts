import type { Filter } from './filters.ts'

/** A way to read executions in order of their finish. What a list is, the driver knows: a sorted set, or the rows of an index. */
export interface AccessPath<List> {
  /** Each in order of the finish. They have nothing in common, and together all that matches the query. */
  readonly lists: readonly List[]
  /** Filters that all executions in the lists match. */
  readonly covers: ReadonlySet<Filter>
}

export interface ChosenPath<List> {
  readonly path: AccessPath<List>
  /** Filters that it does not cover: each row is held against them. */
  readonly remaining: readonly Filter[]
}

/** Numbers of falling weight: the first that differs decides. */
export type Cost = readonly number[]

/**
 * A path that covers every filter; else one without lists, since nothing matches then; else the cheapest.
 * @param estimateCosts asked only where costs decide; gives one for each path, in their order
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

/** Of those that cost the same, the first. */
export function cheapestOf<Path>(paths: readonly Path[], costs: readonly Cost[]): Path {
  const [cheapest] = paths.map((path, i) => ({ path, cost: costs[i]! })).sort((a, b) => compareCosts(a.cost, b.cost))
  return cheapest!.path
}

function compareCosts(a: Cost, b: Cost): number {
  const decisive = a.findIndex((number, i) => number !== b[i])
  return decisive < 0 ? 0 : a[decisive]! - b[decisive]!
}
