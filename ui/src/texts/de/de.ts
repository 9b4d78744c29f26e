import type { Texts } from '../texts.ts'
import { actions } from './actions.ts'
import { audit } from './audit.ts'
import { bulk } from './bulk.ts'
import { elements } from './elements.ts'
import { errors } from './errors.ts'
import { executions } from './executions.ts'
import { failures } from './failures.ts'
import { frame } from './frame.ts'
import { grid } from './grid.ts'
import { groups } from './failure-groups.ts'
import { help } from './help.ts'
import { jobs } from './jobs.ts'
import { rows } from './execution-rows.ts'
import { schedules } from './schedules.ts'
import { search } from './search.ts'
import { stats } from './stats.ts'
import { tasks } from './tasks.ts'
import { time } from './time.ts'
import { why } from './why.ts'
import { workers } from './workers.ts'

export const de: Texts = {
  actions, audit, bulk, elements, errors, executions, failures, frame, grid, groups, help, jobs, rows, schedules, search, stats, tasks,
  time, why, workers
}
