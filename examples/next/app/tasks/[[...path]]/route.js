import { dashboard } from '../../../queue-app.js'

// A request of Next.js has no socket, so it is never local: the dashboard needs `auth`, `authorize` or `access`.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = dashboard
export const dynamic = 'force-dynamic'
