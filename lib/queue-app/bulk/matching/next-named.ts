import { groupBy } from '../../../collections/group-by.ts'
import type { TaskDashboardError } from '../../../errors.ts'
import type { Execution } from '../../../execution.ts'
import type { BulkPosition, PlannedItem, TaskIndex } from '../bulk-records.ts'
import { isBrokerAway } from '../bulk-waiting.ts'
import type { NextItems, Wanted } from './bulk-wanted.ts'
import { serverOfExecution } from './look-up-apart.ts'

interface NextNamedDependencies {
  /** Returns those of the executions that match. */
  lookUp(wanted: Wanted, executionIds: readonly string[]): Promise<readonly Execution[]>
  serverOf(taskName: string): object | undefined
}

/** If no server has responded so far, further servers are tried for this long. */
const MAX_LOOKING_MS = 500

/** The next of the executions that a filter lists, at most `limit`; see `createBulkMatches`. */
export function createNextNamed({ lookUp, serverOf }: NextNamedDependencies) {
  return async (
    wanted: Wanted, ids: readonly string[], position: BulkPosition, limit: number, passesOver: boolean
  ): Promise<NextItems> => {
    const left = leftIn(position, ids.length)
    // Each server is queried for its own executions. Without `passesOver`, all servers count as one.
    const byServer = [...groupBy(left, index => passesOver ? serverOfExecution(ids[index]!, serverOf) : undefined).values()]
    let away: TaskDashboardError | undefined
    const found: Execution[] = []
    const later: number[] = []
    const waiting: number[] = []
    const until = performance.now() + MAX_LOOKING_MS
    // Servers that are down do not use up the turn of the others.
    let isAnswered = false
    while (!isAnswered && byServer.length > 0 && performance.now() < until) {
      const asked = byServer.splice(0, limit)
      const share = Math.floor(limit / asked.length)
      const answers = await Promise.all(asked.map(async ofServer => {
        try {
          const matching = await lookUp(wanted, ofServer.slice(0, share).map(index => ids[index]!))
          later.push(...ofServer.slice(share))
          isAnswered = true
          return matching
        } catch (error) {
          if (!passesOver || !isBrokerAway(error)) throw error
          away ??= error
          waiting.push(...ofServer)
          return []
        }
      }))
      found.push(...answers.flat())
    }
    later.unshift(...byServer.flat())
    return {
      items: found.map(({ executionId, taskName }): PlannedItem => [executionId, indexIn(wanted.taskNames, taskName)]),
      // Executions of servers that are down come last, so that others have their turn before.
      position: positionOf([...later, ...waiting], ids.length, passesOver), isEnd: later.length + waiting.length === 0,
      goesOn: isAnswered && later.length > 0, ...away !== undefined && { away }
    }
  }
}

function indexIn(taskNames: readonly string[], taskName: string): TaskIndex {
  const index = taskNames.indexOf(taskName)
  return index === -1 ? null : index
}

/** Indexes of the executions that were not looked up yet. */
function leftIn({ open: [first, exactly] }: BulkPosition, count: number): readonly number[] {
  const begin = first?.[1] as number | undefined ?? 0
  return exactly?.[1] as number[] | undefined ?? Array.from({ length: Math.max(0, count - begin) }, (_, at) => begin + at)
}

/** The first element is where they begin. It is all that was stored before existing queues could be on several servers. */
function positionOf(left: readonly number[], count: number, isExact: boolean): BulkPosition {
  return { unread: 0, open: [[null, Math.min(count, ...left)], ...isExact ? [[null, left] as const] : []] }
}
