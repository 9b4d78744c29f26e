import { useState } from 'react'
import { elementTexts } from '../../texts/elements.ts'

const MAX_CHARACTERS_SHOWN = 4_000

/** Text of any length, as text: the start at once, the rest on demand. */
export function LongText({ text, label }: { text: string; label: string }) {
  const [isWhole, setWhole] = useState(false)
  const isLong = text.length > MAX_CHARACTERS_SHOWN
  return (
    <div className="long-text">
      <pre tabIndex={0} role="region" aria-label={label}>{isLong && !isWhole ? `${text.slice(0, MAX_CHARACTERS_SHOWN)}…` : text}</pre>
      {isLong && !isWhole && (
        <button type="button" className="button button-small" onClick={() => setWhole(true)}>
          {elementTexts.showAllCharacters(text.length)}
        </button>
      )}
    </div>
  )
}
