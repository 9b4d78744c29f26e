import { useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { MAX_RECENT, MAX_VIEWS, readPlaces, renamedPlace, withoutPlace, withPlace, type KeptPlace } from '../format/places/kept-places.ts'
import { readPreference, usePreference, writePreference } from './use-preference.ts'

export interface KeptPlaces {
  /** The address of the page. */
  readonly here: string
  readonly recent: readonly KeptPlace[]
  readonly views: readonly KeptPlace[]
  readonly remember: (place: KeptPlace) => void
  readonly save: (name: string) => void
  readonly rename: (name: string, to: string) => void
  readonly forget: (name: string) => void
}

/** The places that the reader visited last and the views that they saved, in this browser. */
export function useKeptPlaces(): KeptPlaces {
  const [path] = useLocation()
  const search = useSearch()
  const [recentText, viewsText] = [usePreference('recent'), usePreference('views')]
  return useMemo(() => {
    const here = path + (search ? `?${search}` : '')
    return {
      here, recent: readPlaces(recentText).slice(0, MAX_RECENT), views: readPlaces(viewsText),
      remember: place => change('recent', recent => withPlace(recent, place, MAX_RECENT)),
      save: name => change('views', views => withPlace(views, { name, href: here }, MAX_VIEWS)),
      rename: (name, to) => change('views', views => renamedPlace(views, name, to)),
      forget: name => change('views', views => withoutPlace(views, name))
    }
  }, [path, search, recentText, viewsText])
}

/** Changes the stored places, because another tab may have added one since these were drawn. */
function change(name: 'recent' | 'views', make: (places: readonly KeptPlace[]) => readonly KeptPlace[]): void {
  writePreference(name, JSON.stringify(make(readPlaces(readPreference(name)))))
}
