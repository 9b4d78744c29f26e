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

/** The pages that a reader has loaded, with what the newest first page says of them. No row moves: what is new is counted. */
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
