import { queryOptions } from '@tanstack/react-query'
import type { Queue, Worker } from '../../../schemas/index.ts'
import { get } from './request.ts'

export const workersQuery = queryOptions({
  queryKey: ['workers'],
  queryFn: ({ signal }) => get<Worker[]>('api/workers', { signal })
})

export const queuesQuery = queryOptions({
  queryKey: ['queues'],
  queryFn: ({ signal }) => get<Queue[]>('api/queues', { signal })
})
