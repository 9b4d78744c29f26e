import { queryOptions } from '@tanstack/react-query'
import type { SearchCompletions } from '../../../schemas/index.ts'
import { get } from './request.ts'

/** Completions at the caret, which is at `position`. */
export function completionsQuery(search: string, position: number) {
  return queryOptions({
    queryKey: ['search', 'completions', search, position],
    queryFn: ({ signal }) =>
      get<SearchCompletions>(`api/search/completions?search=${encodeURIComponent(search)}`, { query: { position }, signal }),
    staleTime: 30_000
  })
}
