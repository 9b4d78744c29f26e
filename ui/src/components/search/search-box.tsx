import { useEffect, useId, useRef, useState } from 'react'
import type { SearchCompletions } from '../../../../schemas/index.ts'
import { MAX_SEARCH_LENGTH } from '../../../../schemas/limits.ts'
import { useTyped } from '../../hooks/use-typed.ts'
import { Icon } from '../elements/icon.tsx'
import { searchTexts } from '../../texts/search.ts'

interface Props {
  /** The search that is in effect. */
  readonly value: string
  readonly completions: SearchCompletions | undefined
  /** Where the current search is invalid, and why. */
  readonly fault: { readonly position: number; readonly message: string } | null
  /** Called while the reader types; null when they stop. */
  readonly onType: (typed: { readonly text: string; readonly position: number } | null) => void
  readonly onSearch: (text: string) => void
}

/** Enter searches. The arrow keys pick a completion, and Tab or Enter takes it. */
export function SearchBox({ value, completions, fault, onType, onSearch }: Props) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const { text, type: setText, send } = useTyped(value, onSearch)
  const [isOpen, setOpen] = useState(false)
  const [at, setAt] = useState(-1)
  useEffect(() => {
    if (fault && document.activeElement === input.current) input.current?.setSelectionRange(fault.position, fault.position)
  }, [fault?.position, fault?.message])

  const items = isOpen ? completions?.items ?? [] : []
  const current = items[at]
  const type = (next: string, position: number): void => {
    setText(next)
    setAt(-1)
    setOpen(true)
    onType({ text: next, position })
  }
  const close = (): void => {
    setOpen(false)
    setAt(-1)
    onType(null)
  }
  const take = (item: SearchCompletions['items'][number]): void => {
    const { from, to } = completions!
    // A field is followed by its value, anything else by the next term.
    const taken = item.text.endsWith(':') ? item.text : `${item.text} `
    const next = text.slice(0, from) + taken + text.slice(to).replace(/^ /, taken.endsWith(' ') ? '' : ' ')
    type(next, from + taken.length)
    input.current?.focus()
    // After the text is in the field.
    queueMicrotask(() => input.current?.setSelectionRange(from + taken.length, from + taken.length))
  }
  const search = (): void => {
    close()
    setText(text.trim())
    send(text.trim())
  }

  return (
    <div className="search-box">
      <span className="search">
        <Icon name="search" />
        <input
          ref={input} type="search" role="combobox" aria-label={searchTexts.searchExecutions} data-search
          placeholder={searchTexts.placeholder}
          maxLength={MAX_SEARCH_LENGTH} autoComplete="off" autoCapitalize="off" spellCheck={false} value={text}
          aria-expanded={items.length > 0} aria-controls={`${id}-list`} aria-autocomplete="list" aria-activedescendant={current
            ? `${id}-${at}`
            : undefined}
          aria-invalid={fault !== null} aria-describedby={fault ? `${id}-fault` : undefined}
          onInput={event => {
            type(event.currentTarget.value, event.currentTarget.selectionStart ?? event.currentTarget.value.length)
            if (event.currentTarget.value === '' && value !== '') onSearch('')
          }}
          onFocus={event => onType({ text, position: event.currentTarget.selectionStart ?? text.length })}
          onClick={event => { setOpen(true); onType({ text, position: event.currentTarget.selectionStart ?? text.length }) }}
          onBlur={close}
          onKeyDown={event => {
            if (event.key === 'ArrowDown') { setOpen(true); setAt(Math.min(at + 1, (completions?.items.length ?? 0) - 1)) }
            else if (event.key === 'ArrowUp') setAt(Math.max(at - 1, -1))
            else if ((event.key === 'Enter' || event.key === 'Tab') && current) take(current)
            else if (event.key === 'Enter') search()
            else if (event.key === 'Escape' && items.length > 0) close()
            else return
            event.preventDefault()
            event.stopPropagation()
          }}
        />
        {text.trim() !== value && <kbd>{searchTexts.enter}</kbd>}
      </span>
      <ul className="completions" role="listbox" id={`${id}-list`} aria-label={searchTexts.completions} hidden={items.length === 0}>
        {items.map((item, index) => (
          // Without this, pressing the mouse button would move the focus and close the list before the click.
          <li
            key={item.text} id={`${id}-${index}`} role="option" aria-selected={index === at} onMouseDown={event => event.preventDefault()}
            onClick={() => take(item)}
          >
            <code><bdi>{item.text}</bdi></code><span className="muted"><bdi>{item.description}</bdi></span>
          </li>
        ))}
      </ul>
      {fault && (
        <p className="search-fault" id={`${id}-fault`} role="alert">
          <code aria-hidden="true">
            {value.slice(0, fault.position)}<mark>
              {value.slice(fault.position, fault.position + 1) || ' '}
            </mark>{value.slice(fault.position + 1)}
          </code>
          <span className="tone-bad">{fault.message}</span>
        </p>
      )}
    </div>
  )
}
