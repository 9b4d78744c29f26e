import type { ComponentType } from 'react'
import { mountUrl } from '../../api/mount-url.ts'
import { routeOf, type PagePath } from '../../format/places/routes.ts'
import { loadAhead } from '../../hooks/use-loaded.ts'
import { DashboardPage } from '../dashboard/dashboard-page.tsx'

interface Closable {
  readonly onClose: () => void
}
type Load<Given extends object = object> = () => Promise<ComponentType<Given>>

/** The component of each page in the route table. The first one is included from the start; the others are loaded. */
export const PAGE_PARTS: Readonly<Record<PagePath, Load>> = {
  '/': async () => DashboardPage,
  '/failures': async () => (await import('../failures/failures-page.tsx')).FailuresPage,
  '/executions': async () => (await import('../executions/executions-page.tsx')).ExecutionsPage,
  '/bulk': async () => (await import('../bulk/bulk-page.tsx')).BulkPage,
  '/tasks': async () => (await import('../tasks/tasks-page.tsx')).TasksPage,
  '/schedules': async () => (await import('../schedules/schedules-page.tsx')).SchedulesPage,
  '/schedules/agenda': async () => (await import('../schedules/agenda/agenda-page.tsx')).AgendaPage,
  '/workers': async () => (await import('../workers/workers-page.tsx')).WorkersPage,
  '/audit': async () => (await import('../audit/audit-page.tsx')).AuditPage
}

export const DIALOG_PARTS: Readonly<Record<'palette' | 'help', Load<Closable>>> = {
  palette: async () => (await import('./command-palette.tsx')).CommandPalette,
  help: async () => (await import('../../components/frame/help-dialog.tsx')).HelpDialog
}

/** A reader on a slow network sees the frame of the page after this time. */
const FIRST_PAGE_WITHIN_MS = 100

/** Loads the page at the address, so that the first paint shows it. The HTML links to its scripts, so they arrive with the first script. */
export async function loadFirstPage(): Promise<void> {
  const route = routeOf(`/${location.pathname.slice(mountUrl.pathname.length)}`)
  if (route === null) return
  const loaded = loadAhead(PAGE_PARTS[route.path])
  await Promise.race([loaded, new Promise(resolve => { setTimeout(resolve, FIRST_PAGE_WITHIN_MS) })])
}

/** Loads everything, so that every page opens at once, even during an outage. */
export function loadAllAhead(): void {
  for (const load of [...Object.values(PAGE_PARTS), ...Object.values(DIALOG_PARTS)]) void loadAhead(load as () => Promise<unknown>)
}
