import { declareRoutes } from './declare-routes.ts'

/** Method and path of every endpoint, relative to the mount: `/api/tasks/:name`. */
export function apiAddresses(): Array<{ method: string; path: string }> {
  const addresses: Array<{ method: string; path: string }> = []
  declareRoutes({ route: ({ method, url }) => { addresses.push({ method: String(method), path: url }) } })
  return addresses
}
