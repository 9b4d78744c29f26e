import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { completionsQuery } from '../../api/search.ts'
import { SearchBox } from '../../components/search/search-box.tsx'
import type { Failure } from '../../hooks/use-settled.ts'

interface Fault {
  readonly position: number
  readonly message: string
}

/** Where a search is invalid, and why; null for any other failure. */
export function faultOf(failure: Failure | null): Fault | null {
  if (failure?.code !== 'INVALID_SEARCH') return null
  const [field] = failure.fields
  return { position: field?.position ?? 0, message: field?.message ?? failure.message }
}

interface Props {
  readonly value: string
  readonly fault: Fault | null
  readonly onSearch: (search: string | null) => void
}

/** The search box with the completions of the server. */
export function ExecutionSearch({ value, fault, onSearch }: Props) {
  const [typed, setTyped] = useState<{ readonly text: string; readonly position: number } | null>(null)
  const { data } = useQuery({ ...completionsQuery(typed?.text ?? '', typed?.position ?? 0), enabled: typed !== null })
  return <SearchBox
    value={value} fault={fault} completions={typed === null ? undefined : data} onType={setTyped}
    onSearch={text => onSearch(text || null)}
  />
}
