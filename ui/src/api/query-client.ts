import { QueryClient } from '@tanstack/react-query'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The next poll is the retry; a second mechanism would only delay the news that something is broken.
      retry: false,
      // Ask even when the browser believes it is offline: the server may be on this machine.
      networkMode: 'always',
      refetchOnWindowFocus: 'always',
      gcTime: 5 * 60_000
    },
    mutations: { retry: false, networkMode: 'always' }
  }
})
