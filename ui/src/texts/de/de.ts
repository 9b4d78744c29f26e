import type { Texts } from '../texts.ts'
import { elements } from './elements.ts'
import { executions } from './executions.ts'
import { failures } from './failures.ts'
import { frame } from './frame.ts'
import { grid } from './grid.ts'
import { schedules } from './schedules.ts'
import { search } from './search.ts'
import { stats } from './stats.ts'
import { tasks } from './tasks.ts'
import { time } from './time.ts'
import { workers } from './workers.ts'

export const de: Texts = { elements, executions, failures, frame, grid, schedules, search, stats, tasks, time, workers }
