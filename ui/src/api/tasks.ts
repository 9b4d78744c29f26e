import { queryOptions } from '@tanstack/react-query'
import type { Task, TaskDetail } from '../../../schemas/index.ts'
import { get, segment } from './request.ts'

export const tasksQuery = queryOptions({
  queryKey: ['tasks'],
  queryFn: ({ signal }) => get<Task[]>('api/tasks', { signal })
})

export function taskQuery(name: string) {
  return queryOptions({
    queryKey: ['tasks', 'item', name],
    queryFn: ({ signal }) => get<TaskDetail>(`api/tasks/${segment(name)}`, { signal })
  })
}
