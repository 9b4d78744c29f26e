import { useLayoutEffect, useRef, type ReactNode } from 'react'
import { useMedia } from '../../hooks/use-media.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { Icon } from '../elements/icon.tsx'
import { Notices } from '../elements/notices.tsx'
import { elementTexts } from '../../texts/elements.ts'
import { frameTexts } from '../../texts/frame.ts'

interface Props {
  readonly label: string
  readonly title: ReactNode
  readonly actions?: ReactNode
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Whatever is open: next to the list if there is room, otherwise over it and modal. */
export function SidePanel({ label, title, actions, onClose, children }: Props) {
  const hasRoom = useMedia('(min-width: 1200px)')
  const ref = useRef<HTMLDialogElement>(null)

  // A layout effect, so that Esc right after j or k returns to the row that is shown.
  useLayoutEffect(() => {
    const dialog = ref.current
    const opener = openedRow() ?? document.activeElement
    const isInList = document.activeElement?.matches('[data-row-link]') ?? false
    if (hasRoom) dialog?.show()
    else dialog?.showModal()
    // Next to the list, the focus stays where the reader is, so that j and k, the arrows and Enter continue from there.
    if (hasRoom && isInList) (opener as HTMLElement).focus({ preventScroll: true })
    else dialog?.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true })
    document.documentElement.classList.add('has-panel')
    return () => {
      const row = openedRow() ?? opener
      dialog?.close()
      document.documentElement.classList.remove('has-panel')
      if (row instanceof HTMLElement && row.isConnected) row.focus({ preventScroll: true })
    }
  }, [hasRoom])

  return (
    <dialog ref={ref} className="panel" aria-label={label} onCancel={event => { event.preventDefault(); onClose() }}>
      <header className="panel-header">
        <h2 tabIndex={-1}>{title}</h2>
        <div className="panel-actions">
          {actions}
          <button
            type="button" className="button button-icon" aria-label={elementTexts.close} title={frameTexts.closeTitle} onClick={onClose}
          >
            <Icon name="close" />
          </button>
        </div>
      </header>
      {!hasRoom && <Notices isModal />}
      <div className="panel-body"><ErrorBoundary what={label}>{children}</ErrorBoundary></div>
    </dialog>
  )
}

/** The row that the panel shows. The focus returns to this row, because the panel follows the list. */
function openedRow(): Element | null {
  return document.querySelector('[data-row-link][data-opened]')
}
