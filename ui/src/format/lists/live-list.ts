import type { Execution } from '../../../../schemas/index.ts'

interface Page {
  readonly items: readonly Execution[]
  readonly next_cursor: string | null
  /** What it lacks, because its store is unavailable. */
  readonly missing?: string
}

export interface LiveList {
  readonly executions: readonly Execution[]
  /** How many of the newest page are not in the list; there may be more when `hasMoreNews`. */
  readonly news: number
  readonly hasMoreNews: boolean
  /** In the list, but no longer matched by the filter. */
  readonly movedOn: ReadonlySet<string>
}

/** The pages that the reader has loaded, updated from the newest first page. No row moves: new ones are only counted. */
export function toLiveList(pages: readonly Page[], head: Page | undefined): LiveList {
  const newest = new Map(head?.items.map(execution => [execution.execution_id, execution]))
  const seen = new Set<string>()
  const executions: Execution[] = []
  for (const execution of pages.flatMap(page => page.items)) {
    // One that changed between two pages comes twice: it moved to the front.
    if (seen.has(execution.execution_id)) continue
    seen.add(execution.execution_id)
    executions.push(newest.get(execution.execution_id) ?? execution)
  }
  const news = head?.items.filter(execution => !seen.has(execution.execution_id)).length ?? 0
  const isWhole = head !== undefined && head.next_cursor === null && head.missing === undefined && pages.length === 1
  return {
    executions, news,
    hasMoreNews: head !== undefined && head.next_cursor !== null && news === head.items.length,
    movedOn: new Set(
      isWhole ? executions.filter(execution => !newest.has(execution.execution_id)).map(execution => execution.execution_id) : []
    )
  }
}
