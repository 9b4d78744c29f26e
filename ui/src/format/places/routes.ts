import { frameTexts } from '../../texts/frame.ts'

/** A page of the interface, as far as header, palette, titles, keys and permissions are concerned. */
export interface PageRoute {
  readonly path: string
  readonly title: string
  /** The action that a reader must be allowed; null for a page that shows each reader what they may see. */
  readonly action: string | null
  /** The key after `g`; null for a page that is not in the header, because it is reached from the page that it belongs to. */
  readonly key: string | null
}

/** Every page, in the order of the header. */
export const ROUTES = [
  { path: '/', get title() { return frameTexts.pages.dashboard }, action: null, key: 'd' },
  { path: '/failures', get title() { return frameTexts.pages.failures }, action: 'executions:view', key: 'f' },
  { path: '/executions', get title() { return frameTexts.pages.executions }, action: 'executions:view', key: 'e' },
  { path: '/bulk', get title() { return frameTexts.pages.bulk }, action: 'bulk:view', key: null },
  { path: '/tasks', get title() { return frameTexts.pages.tasks }, action: 'tasks:view', key: 't' },
  { path: '/schedules', get title() { return frameTexts.pages.schedules }, action: 'schedules:view', key: 's' },
  { path: '/schedules/agenda', get title() { return frameTexts.pages.agenda }, action: 'schedules:view', key: null },
  { path: '/workers', get title() { return frameTexts.pages.workers }, action: 'workers:view', key: 'w' },
  { path: '/audit', get title() { return frameTexts.pages.audit }, action: 'audit:view', key: 'a' }
] as const satisfies readonly PageRoute[]

export type PagePath = (typeof ROUTES)[number]['path']

/** The page at an address below the mount, with or without slashes at its end; null when there is none. */
export function routeOf(location: string): PageRoute & { readonly path: PagePath } | null {
  const path = location.replace(/(?<!\/)\/+$/, '') || '/'
  return ROUTES.find(route => route.path === path) ?? null
}

/** Whether a reader with these actions may open a page. While the actions are not known, every page is open. */
export function mayOpen(href: string, actions: readonly string[] | undefined): boolean {
  const action = routeOf(/^[^?#]*/.exec(href)![0])?.action ?? null
  return action === null || actions === undefined || actions.includes(action)
}

/** The history of executions used to be on the tasks page, with these parameters. */
const PARAMETERS_OF_THE_HISTORY = ['status', 'task', 'schedule', 'range', 'worker', 'group', 'took', 'search', 'order', 'execution']

/** The new address of a page that has moved, with its query; null if it has not moved. */
export function movedTo(path: string, search: string): string | null {
  if (path !== '/tasks') return null
  const parameters = new URLSearchParams(search)
  // The page of one task has executions, too.
  if (parameters.has('name') || !PARAMETERS_OF_THE_HISTORY.some(name => parameters.has(name))) return null
  parameters.delete('tasks')
  return `/executions?${parameters.toString()}`
}

/** The pages in the header. */
export function mainRoutes(actions: readonly string[] | undefined): readonly PageRoute[] {
  return ROUTES.filter(route => route.key !== null && isOpenTo(route, actions))
}

/**
 * Whether a reader may open a page.
 * @param actions undefined before the session is known: nothing is hidden then, because the server decides
 */
export function isOpenTo(route: PageRoute, actions: readonly string[] | undefined): boolean {
  return route.action === null || actions === undefined || actions.includes(route.action)
}

/** `aria-current` of a link in the header. */
export function currentMark(route: PageRoute, current: PageRoute | null): 'page' | 'true' | undefined {
  if (current === null) return undefined
  if (route.path === current.path) return 'page'
  return current.path.startsWith(`${route.path}/`) ? 'true' : undefined
}
