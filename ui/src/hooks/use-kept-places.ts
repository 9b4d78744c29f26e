import { useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { MAX_RECENT, MAX_VIEWS, readPlaces, renamedPlace, withoutPlace, withPlace, type KeptPlace } from '../format/places/kept-places.ts'
import { usePreference, writePreference } from './use-preference.ts'

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

/** Where the reader went last, and what they saved, in this browser. */
export function useKeptPlaces(): KeptPlaces {
  const [path] = useLocation()
  const search = useSearch()
  const [recentText, viewsText] = [usePreference('recent'), usePreference('views')]
  return useMemo(() => {
    const here = path + (search ? `?${search}` : '')
    const [recent, views] = [readPlaces(recentText).slice(0, MAX_RECENT), readPlaces(viewsText)]
    const write = (name: string, places: readonly KeptPlace[]): void => writePreference(name, JSON.stringify(places))
    return {
      here, recent, views,
      remember: place => write('recent', withPlace(recent, place, MAX_RECENT)),
      save: name => write('views', withPlace(views, { name, href: here }, MAX_VIEWS)),
      rename: (name, to) => write('views', renamedPlace(views, name, to)),
      forget: name => write('views', withoutPlace(views, name))
    }
  }, [path, search, recentText, viewsText])
}
