import { actionStories } from './stories/actions.tsx'
import { auditStories } from './stories/audit.tsx'
import { bulkStories } from './stories/bulk.tsx'
import { elementStories } from './stories/elements.tsx'
import { executionPanelStories } from './stories/execution-panel.tsx'
import { executionStories } from './stories/executions.tsx'
import { failureStories } from './stories/failures.tsx'
import { frameStories } from './stories/frame.tsx'
import { gridStories } from './stories/grid.tsx'
import { schedulePanelStories } from './stories/schedule-panel.tsx'
import { scheduleStories } from './stories/schedules.tsx'
import { searchStories } from './stories/search.tsx'
import { statsStories } from './stories/stats.tsx'
import { taskStories } from './stories/tasks.tsx'
import { workerStories } from './stories/workers.tsx'
import type { Stories } from './story.ts'

/** Every component in each of its states. `test/promises/gallery.test.ts` compares it with the tree. */
export const STORIES: Stories = {
  ...elementStories, ...frameStories, ...gridStories, ...searchStories, ...statsStories, ...executionStories, ...executionPanelStories,
  ...failureStories, ...scheduleStories, ...schedulePanelStories, ...taskStories, ...workerStories, ...bulkStories, ...auditStories,
  ...actionStories
}
