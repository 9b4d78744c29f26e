import { isMeant } from './typed-name.ts'
import type { KeptPlace } from './kept-places.ts'

/** What can be done to saved views from the palette. */
export type ViewCommand =
  | { readonly does: 'save'; readonly name: string }
  | { readonly does: 'rename'; readonly name: string; readonly to: string }
  | { readonly does: 'forget'; readonly name: string }

interface Kept {
  /** The address of the page. */
  readonly here: string
  readonly views: readonly KeptPlace[]
}

/** Typed before a name. */
type Verbs = Readonly<Record<'save' | 'rename' | 'forget', string>>

/** The commands that were typed. A view is saved only on request: Enter after a name that is not found must not save it. */
export function viewCommands(typed: string, { here, views }: Kept, verbs: Verbs): ViewCommand[] {
  const text = typed.trim()
  const gap = text.search(/\s/)
  const verb = (gap === -1 ? text : text.slice(0, gap)).toLowerCase()
  const name = gap === -1 ? '' : text.slice(gap).trim()
  const current = views.find(view => view.href === here)
  if (verb === verbs.forget && name !== '')
    return views.filter(view => isMeant(view.name, name)).map(view => ({ does: 'forget', name: view.name }))
  return [
    ...(verb === verbs.save && name !== '' ? [{ does: 'save', name } as const] : []),
    ...(verb === verbs.rename && name !== '' && current && name !== current.name
      ? [{ does: 'rename', name: current.name, to: name } as const]
      : []),
    ...(current && verbs.forget.startsWith(text.toLowerCase()) ? [{ does: 'forget', name: current.name } as const] : [])
  ]
}
