import { useCallback, useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { withParameters, type AddressChange } from '../format/places/address.ts'

export interface Address {
  readonly get: (name: string) => string | null
  /** The address of this page with some parameters changed. */
  readonly href: (change: AddressChange) => string
  /** Goes to that address; `replace` adds no step for Back. */
  readonly go: (change: AddressChange, options?: { replace?: boolean }) => void
}

/** The state of a page is in its address. */
export function useAddress(): Address {
  const search = useSearch()
  const [path, navigate] = useLocation()
  const parameters = useMemo(() => new URLSearchParams(search), [search])
  const href = useCallback((change: AddressChange) => path + withParameters(search, change), [path, search])
  return {
    get: name => parameters.get(name) || null,
    href,
    go: (change, options = {}) => navigate(href(change), { replace: options.replace ?? false })
  }
}
