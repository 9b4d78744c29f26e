import { queryOptions } from '@tanstack/react-query'
import type { Health } from '../../../schemas/index.ts'
import { firstAnswer } from './embedded.ts'
import { get } from './request.ts'

export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }) => get<Health>('api/health', { signal, accept: [503] }),
  ...firstAnswer('health')
})
