import { queryOptions } from '@tanstack/react-query'
import type { Task } from '../../../schemas/index.ts'
import { get } from './request.ts'

export const tasksQuery = queryOptions({
  queryKey: ['tasks'],
  queryFn: ({ signal }) => get<Task[]>('api/tasks', { signal })
})
