import { useEffect } from 'react'
import { useTyped } from '../../hooks/use-typed.ts'
import { Icon } from '../elements/icon.tsx'
import { searchTexts } from '../../texts/search.ts'

const SEARCH_DELAY_MS = 250
const MAX_LENGTH = 200

/** A field that searches while the reader types. */
export function SearchField({ label, value, onChange }: { label: string; value: string; onChange: (text: string) => void }) {
  const { text, type, send } = useTyped(value, onChange)
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => send(text), SEARCH_DELAY_MS)
    return () => clearTimeout(timer)
    // The other values change with every response. Only new text may restart the wait.
  }, [text])
  return (
    <span className="search">
      <Icon name="search" />
      <input
        type="search" aria-label={label} placeholder={searchTexts.search} data-search maxLength={MAX_LENGTH} value={text}
        onInput={event => type(event.currentTarget.value)}
      />
    </span>
  )
}
