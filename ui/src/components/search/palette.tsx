import { useState } from 'react'
import { Dialog } from '../elements/dialog.tsx'
import { searchTexts } from '../../texts/search.ts'

export interface Destination {
  readonly kind: string
  readonly name: string
  readonly href: string
  /** Called instead of going there. */
  readonly act?: () => void
}

interface Props {
  readonly destinations: readonly Destination[]
  /** More names contain the typed text. */
  readonly isCut: boolean
  /** Destinations that are missing or cannot be loaded. An empty list means nothing before it has been searched. */
  readonly missing: string | null
  readonly onSearch: (text: string) => void
  readonly onGo: (destination: Destination) => void
  readonly onClose: () => void
}

/** The reader types, picks with the arrow keys, and presses Enter. The page decides what is found. */
export function Palette({ destinations, isCut, missing, onSearch, onGo, onClose }: Props) {
  const [at, setAt] = useState(0)
  const current = Math.min(at, destinations.length - 1)
  return (
    <Dialog title={searchTexts.find} className="dialog-palette" onClose={onClose}>
      <input
        type="text" className="palette-input" placeholder={searchTexts.palettePlaceholder}
        autoFocus autoComplete="off" spellCheck={false} maxLength={200}
        role="combobox" aria-label={searchTexts.find} aria-expanded="true" aria-controls="palette-list" aria-activedescendant={current >= 0
          ? `palette-${current}`
          : undefined}
        onInput={event => { setAt(0); onSearch(event.currentTarget.value) }}
        onKeyDown={event => {
          if (event.key === 'ArrowDown') setAt(Math.min(current + 1, destinations.length - 1))
          else if (event.key === 'ArrowUp') setAt(Math.max(current - 1, 0))
          else if (event.key === 'Enter' && destinations[current]) onGo(destinations[current])
          else return
          event.preventDefault()
        }}
      />
      <ul className="palette-list" role="listbox" id="palette-list" aria-label={searchTexts.found}>
        {destinations.map((destination, index) => (
          <li
            key={`${destination.kind}:${destination.href}:${destination.name}`}
            id={`palette-${index}`} role="option" aria-selected={index === current}
            onMouseMove={() => setAt(index)} onClick={() => onGo(destination)}
            ref={element => { if (index === current) element?.scrollIntoView({ block: 'nearest' }) }}
          >
            <bdi>{destination.name}</bdi><span className="muted">{destination.kind}</span>
          </li>
        ))}
      </ul>
      {isCut && <p className="muted palette-none">{searchTexts.moreFound}</p>}
      {missing !== null
        ? <p className="muted palette-none" role="status">{missing}</p>
        : destinations.length === 0 && <p className="muted palette-none">{searchTexts.nothingFound}</p>}
    </Dialog>
  )
}
