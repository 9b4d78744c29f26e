import t from 'tap'
import { createTaskDashboardError } from '../../../../lib/errors.ts'
import type { Execution } from '../../../../lib/execution.ts'
import { createBulkMatches } from '../../../../lib/queue-app/bulk/matching/bulk-matches.ts'

const SILENT = 40
const names = (kind: string, count: number): string[] => Array.from({ length: count }, (_, index) => `${kind}${index}`)

t.test('many queues of a node that does not respond cost one failed read, and do not use up the step of the others', async t => {
  const taskNames = [...names('a-silent', SILENT), ...names('well', 3)]
  const servers = new Map(taskNames.map(taskName => [taskName, { taskName }]))
  const asked: string[] = []
  const matches = createBulkMatches({
    engine: {
      async inFlight({ taskNames: [taskName = ''] }: { taskNames: readonly string[] }) {
        asked.push(taskName)
        if (taskName.startsWith('a-silent')) throw createTaskDashboardError('BROKER_UNAVAILABLE')
        return { executions: [{ executionId: `${taskName}:1`, taskName } as Execution], next: null, held: 1 }
      }
    } as never,
    backend: {} as never,
    isOthers: () => true,
    // In a cluster, each queue is a separate part.
    serverOf: taskName => servers.get(taskName),
    answers: async taskName => !taskName.startsWith('a-silent')
  })
  const wanted = { action: 'cancel', filter: { text: [] }, before: 1_000, taskNames, isAllTasks: true } as const
  const next = await matches.next(wanted, { unread: 0, open: [] }, 50, true)
  t.same(next.items.map(([id]) => id), ['well0:1', 'well1:1', 'well2:1'])
  t.same(asked.filter(name => name.startsWith('a-silent')).length, 1)
  t.match(next, { isEnd: false, away: { code: 'BROKER_UNAVAILABLE' } })
})
