import { queryOptions } from '@tanstack/react-query'
import type { Stats } from '../../../schemas/index.ts'
import { firstAnswer } from './embedded.ts'
import { get } from './request.ts'

export const statsQuery = queryOptions({
  queryKey: ['stats'],
  queryFn: ({ signal }) => get<Stats>('api/stats', { signal }),
  ...firstAnswer('stats')
})
