import type { Execution } from '../../../../schemas/index.ts'

interface Page {
  readonly items: readonly Execution[]
  readonly next_cursor: string | null
  /** What it lacks, since its store is away. */
  readonly missing?: string
}

export interface LiveList {
  readonly executions: readonly Execution[]
  /** How many of the newest page are not in the list; there may be more when `hasMoreNews`. */
  readonly news: number
  readonly hasMoreNews: boolean
  /** In the list, and no longer among what the filter finds. */
  readonly movedOn: ReadonlySet<string>
}

/** What a reader has loaded, each execution once. */
export interface Loaded {
  readonly pages: readonly Page[]
  readonly executions: readonly Execution[]
  /** Of each id among the executions. */
  readonly places: Map<string, number>
}

/**
 * The pages one after the other. With thousands of them behind it, one more costs no more than the first one did: what was joined earlier
 * is taken over, and is of no use afterwards.
 */
export function joinPages(pages: readonly Page[], earlier: Loaded | null): Loaded {
  const known: Loaded = earlier?.pages.every((page, index) => page === pages[index])
    ? earlier
    : { pages: [], executions: [], places: new Map() }
  const { places } = known
  const added: Execution[] = []
  for (const execution of pages.slice(known.pages.length).flatMap(page => page.items)) {
    // One that changed between two pages comes twice: it moved to the front.
    if (places.has(execution.execution_id)) continue
    places.set(execution.execution_id, known.executions.length + added.length)
    added.push(execution)
  }
  return { pages, places, executions: added.length === 0 ? known.executions : known.executions.concat(added) }
}

/** What is loaded, with what the newest first page says of it. No row moves: what is new is counted. */
export function toLiveList({ pages, executions, places }: Loaded, head: Page | undefined): LiveList {
  const newest = head?.items ?? []
  const changed = newest.filter(each => {
    const place = places.get(each.execution_id)
    return place !== undefined && executions[place] !== each
  })
  const current = changed.length === 0 ? executions : executions.slice()
  for (const each of changed) (current as Execution[])[places.get(each.execution_id)!] = each
  const news = newest.filter(({ execution_id: id }) => !places.has(id)).length
  const isWhole = head !== undefined && head.next_cursor === null && head.missing === undefined && pages.length === 1
  const still = isWhole ? new Set(newest.map(({ execution_id: id }) => id)) : null
  return {
    executions: current, news,
    hasMoreNews: head !== undefined && head.next_cursor !== null && news === newest.length,
    movedOn: new Set(still ? executions.map(({ execution_id: id }) => id).filter(id => !still.has(id)) : [])
  }
}
