import { actionStories } from './actions.tsx'
import { auditStories } from './audit.tsx'
import { bulkStories } from './bulk.tsx'
import { elementStories } from './elements.tsx'
import { executionStories } from './executions.tsx'
import { failureStories } from './failures.tsx'
import { frameStories } from './frame.tsx'
import { scheduleStories } from './schedules.tsx'
import { searchStories } from './search.tsx'
import { statsStories } from './stats.tsx'
import type { Stories } from './story.ts'
import { taskStories } from './tasks.tsx'
import { workerStories } from './workers.tsx'

/** As in `src/components`. */
export const STORIES: Stories = {
  ...frameStories, ...statsStories, ...elementStories, ...failureStories, ...executionStories, ...scheduleStories, ...taskStories,
  ...workerStories,
  ...bulkStories, ...auditStories, ...actionStories, ...searchStories
}
