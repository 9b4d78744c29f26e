import type { ResultBackend } from '../../backend/result-backend.ts'
import { groupBy } from '../../collections/group-by.ts'
import type { ToldFinish } from '../../engine/observing/events/job-stories.ts'
import { SAME_WITHIN_MS, type NotedFinishes } from './noted-finishes.ts'

/** Pages of the history that are compared for one queue. */
const MAX_PAGES_COMPARED = 50

/** Notes what the history already has around the times of these finishes. For events that are read again and have no marks any more. */
export async function noteHistory(
  backend: Pick<ResultBackend, 'list'>, noted: NotedFinishes, finishes: readonly ToldFinish[]
): Promise<void> {
  await Promise.all([...groupBy(finishes, ({ taskName }) => taskName)].map(async ([taskName, ofTask]) => {
    const times = ofTask.map(({ at }) => at)
    const range = { taskName, from: Math.min(...times) - SAME_WITHIN_MS, to: Math.max(...times) + SAME_WITHIN_MS }
    let after: { readonly finishedAt: number; readonly executionId: string | null } | undefined
    for (let page = 0; page < MAX_PAGES_COMPARED; page++) {
      const found = await backend.list({ ...range, text: [], order: 'oldest', limit: 200, ...after && { after } })
      noted.note(found.executions)
      if (found.next === null) return
      after = found.next
    }
  }))
}
