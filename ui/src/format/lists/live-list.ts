import type { Execution } from '../../../../schemas/index.ts'

interface Page {
  readonly items: readonly Execution[]
  readonly next_cursor: string | null
  /** The part that is missing, because its store is unavailable. */
  readonly missing?: string
}

export interface LiveList {
  readonly executions: readonly Execution[]
  /** The number of executions of the newest page that are not in the list. There may be more if `hasMoreNews`. */
  readonly news: number
  readonly hasMoreNews: boolean
  /** Executions in the list that no longer match the filter. */
  readonly movedOn: ReadonlySet<string>
}

/** What a reader has loaded, with each execution once. */
export interface Loaded {
  readonly pages: readonly Page[]
  readonly executions: readonly Execution[]
  /** The index of each id in `executions`. */
  readonly places: Map<string, number>
}

/**
 * Joins the pages in their order. The earlier result is reused, so that one more page costs no more than the first one, even after
 * thousands. Do not use the earlier result afterwards.
 */
export function joinPages(pages: readonly Page[], earlier: Loaded | null): Loaded {
  const known: Loaded = earlier?.pages.every((page, index) => page === pages[index])
    ? earlier
    : { pages: [], executions: [], places: new Map() }
  const { places } = known
  const added: Execution[] = []
  for (const execution of pages.slice(known.pages.length).flatMap(page => page.items)) {
    // An execution that changed between two pages comes twice, because it moved to the front.
    if (places.has(execution.execution_id)) continue
    places.set(execution.execution_id, known.executions.length + added.length)
    added.push(execution)
  }
  return { pages, places, executions: added.length === 0 ? known.executions : known.executions.concat(added) }
}

/** The loaded executions, updated from the newest first page. No row moves: new executions are only counted. */
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
