import { useState, type ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'
import { elementTexts } from '../../texts/elements.ts'

const OPEN_TO_DEPTH = 2
const ENTRIES_AT_FIRST = 50
const STRING_AT_FIRST = 400

/** A JSON value as a tree of text nodes; closed branches cost nothing. */
export function JsonView({ value, label }: { value: unknown; label: string }) {
  return (
    <div className="json" role="group" aria-label={label}>
      <div className="json-tree"><Value value={value} depth={0} /></div>
      <CopyButton text={() => JSON.stringify(value, null, 2) ?? 'null'} label={elementTexts.copy} />
    </div>
  )
}

function Value({ value, depth }: { value: unknown; depth: number }) {
  if (Array.isArray(value)) {
    if (value.length === 0) return <span className="json-mark">[]</span>
    return <Branch
      summary={`[ ${elementTexts.items(value.length)} ]`} entries={() => value.map((item, index) => [String(index), item])}
      count={value.length} depth={depth}
    />
  }
  if (typeof value === 'object' && value !== null) {
    const count = Object.keys(value).length
    if (count === 0) return <span className="json-mark">{'{}'}</span>
    return <Branch summary={`{ ${elementTexts.keys(count)} }`} entries={() => Object.entries(value)} count={count} depth={depth} />
  }
  if (typeof value === 'string') return <StringValue text={value} />
  return <span className="json-plain">{String(value)}</span>
}

interface BranchProps {
  readonly summary: string
  readonly entries: () => Array<[string, unknown]>
  readonly count: number
  readonly depth: number
}

function Branch({ summary, entries, count, depth }: BranchProps) {
  const [isOpen, setOpen] = useState(depth < OPEN_TO_DEPTH && count <= ENTRIES_AT_FIRST)
  const [shown, setShown] = useState(ENTRIES_AT_FIRST)
  let content: ReactNode = null
  if (isOpen) {
    content = (
      <ul>
        {entries().slice(0, shown).map(([key, item]) => (
          <li key={key}><bdi className="json-key">{key}</bdi><Value value={item} depth={depth + 1} /></li>
        ))}
        {count > shown && (
          <li>
            <button type="button" className="button button-small" onClick={() => setShown(shown + 10 * ENTRIES_AT_FIRST)}>
              {elementTexts.showMoreOf(count)}
            </button>
          </li>
        )}
      </ul>
    )
  }
  return (
    <span className="json-branch">
      <button type="button" className="json-toggle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>{summary}</button>
      {content}
    </span>
  )
}

function StringValue({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false)
  if (text.length <= STRING_AT_FIRST || isWhole) return <bdi className="json-string">{JSON.stringify(text)}</bdi>
  return (
    <span className="json-string">
      <bdi>{JSON.stringify(text.slice(0, STRING_AT_FIRST))}</bdi>…{' '}
      <button type="button" className="button button-small" onClick={() => setWhole(true)}>
        {elementTexts.showAllCharacters(text.length)}
      </button>
    </span>
  )
}
