import type { FinishedExecution, FinishedReference } from '../../../lib/execution.ts'

/** A fake broker with these finished executions, with the methods of the engine. `asked` records the calls of `finishedSince`. */
export function fakeBroker(
  executions: FinishedExecution[], { perQueue = 20, taskNames }: { perQueue?: number; taskNames?: readonly string[] } = {}
) {
  const asked: Array<{ taskName: string; since: number }> = []
  const calls: string[] = []
  const mark = { brokerHasAfterMs: -Infinity }
  const referenceOf = (
    { executionId, taskName, status, finishedAt }: FinishedExecution
  ): FinishedReference => ({ executionId, taskName, status, finishedAt })
  const newestFirst = (taskName: string) =>
    executions.filter(each => each.taskName === taskName).sort((a, b) => b.finishedAt - a.finishedAt)

  return {
    executions,
    asked,
    calls,
    taskNames: async () => taskNames ?? [...new Set(executions.map(each => each.taskName))],
    brokerHasAfter: async () => mark.brokerHasAfterMs,
    mark: {
      brokerHasAfter: async () => mark.brokerHasAfterMs,
      save: async (sweptBeforeMs: number) => { mark.brokerHasAfterMs = sweptBeforeMs - 3_600_000 }
    },
    newestFinished: async (queries: ReadonlyArray<{ taskName: string; sinceMs: number }>) => {
      calls.push('newestFinished')
      return queries.map(({ taskName, sinceMs }) => {
        const found = newestFirst(taskName).filter(each => each.finishedAt >= sinceMs)
        return { executions: found.slice(0, perQueue).map(referenceOf), isAll: found.length <= perQueue }
      })
    },
    // Like the engine, it returns the whole page in which `since` falls.
    async * finishedSince(
      taskName: string, since: number, missing: (ids: string[]) => Promise<string[]>
    ): AsyncIterable<FinishedExecution[]> {
      calls.push('finishedSince')
      asked.push({ taskName, since })
      const found = newestFirst(taskName)
      const inPages = found.slice(0, Math.ceil(found.filter(each => each.finishedAt >= since).length / 7) * 7).reverse()
      for (let i = 0; i < inPages.length; i += 7) {
        const batch = inPages.slice(i, i + 7)
        const wanted = new Set(await missing(batch.map(each => each.executionId)))
        yield batch.filter(each => wanted.has(each.executionId))
      }
    },
    finishedBefore: async (names: readonly string[], beforeMs: number, limit: number) => {
      calls.push('finishedBefore')
      return names.flatMap(name => newestFirst(name).reverse().filter(each => each.finishedAt <= beforeMs)).slice(0, limit).map(referenceOf)
    },
    async * readFinished(references: readonly FinishedReference[]): AsyncIterable<FinishedExecution[]> {
      calls.push('readFinished')
      const ids = new Set(references.map(each => each.executionId))
      yield executions.filter(each => ids.has(each.executionId))
    },
    removeFinished: async (references: readonly FinishedReference[], beforeMs: number) => {
      calls.push('removeFinished')
      const ids = new Set(references.map(each => each.executionId))
      const kept = executions.filter(each => !ids.has(each.executionId) || each.finishedAt > beforeMs)
      return executions.splice(0, executions.length, ...kept).length - kept.length
    }
  }
}
