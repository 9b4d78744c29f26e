/** A page with its filters, under a name. */
export interface KeptPlace {
  readonly name: string
  /** Below the mount, with its query. */
  readonly href: string
}

export const MAX_VIEWS = 30
export const MAX_RECENT = 6
const MAX_NAME_LENGTH = 80
const MAX_HREF_LENGTH = 2_000

/** Reads the places that the browser has stored. Anything that is not a list of places counts as empty. */
export function readPlaces(text: string | null): readonly KeptPlace[] {
  try {
    const parsed: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(parsed) ? parsed.filter(isPlace).slice(0, MAX_VIEWS) : []
  } catch {
    return []
  }
}

/** Adds a place at the front. Each name occurs once, and the oldest places are dropped. */
export function withPlace(places: readonly KeptPlace[], { name, href }: KeptPlace, most: number): readonly KeptPlace[] {
  const added = { name: name.trim().slice(0, MAX_NAME_LENGTH), href }
  if (!isPlace(added)) return places
  return [added, ...places.filter(place => place.name !== added.name)].slice(0, most)
}

/** Renames a place and keeps its position. Another place with the new name is removed. */
export function renamedPlace(places: readonly KeptPlace[], name: string, to: string): readonly KeptPlace[] {
  const renamed = to.trim().slice(0, MAX_NAME_LENGTH)
  if (renamed === '' || renamed === name) return places
  return places.filter(place => place.name !== renamed).map(place => (place.name === name ? { ...place, name: renamed } : place))
}

export function withoutPlace(places: readonly KeptPlace[], name: string): readonly KeptPlace[] {
  return places.filter(place => place.name !== name)
}

/** Whether this is a place that leads to a page of this dashboard, and nowhere else. */
function isPlace(value: unknown): value is KeptPlace {
  if (typeof value !== 'object' || value === null) return false
  const { name, href } = value as Readonly<Record<string, unknown>>
  return typeof name === 'string' && name !== '' && typeof href === 'string' && href.length <= MAX_HREF_LENGTH && /^\/(?![/\\])/.test(href)
}
