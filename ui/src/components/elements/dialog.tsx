import { useLayoutEffect, useRef, type ReactNode } from 'react'
import { Icon } from './icon.tsx'
import { Notices } from './notices.tsx'
import { elementTexts } from '../../texts/elements.ts'

interface Props {
  readonly title: string
  readonly onClose: () => void
  readonly className?: string
  readonly children: ReactNode
}

/** A modal question. The browser keeps the focus inside and restores it afterwards. */
export function Dialog({ title, onClose, className = '', children }: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  /** Selecting text beyond the edge ends with a click outside, which must not close the dialog. */
  const isPressedOutside = useRef(false)
  // Opened before the next frame, because a key pressed in between would go to the page, or nowhere.
  useLayoutEffect(() => {
    const dialog = ref.current!
    dialog.showModal()
    // The browser would focus the close button.
    dialog.querySelector<HTMLElement>('input, select, textarea')?.focus()
    return () => dialog.close()
  }, [])
  return (
    <dialog
      ref={ref} className={`dialog ${className}`} aria-label={title}
      onCancel={event => { event.preventDefault(); onClose() }}
      // At a second Esc, the browser closes the dialog even if the first one was prevented.
      onClose={() => { if (ref.current?.isConnected && !ref.current.open) ref.current.showModal() }}
      onMouseDown={event => { isPressedOutside.current = event.target === ref.current }}
      onClick={event => { if (event.target === ref.current && isPressedOutside.current) onClose() }}
    >
      <div className="dialog-body">
        <header className="dialog-header">
          <h2>{title}</h2>
          <button type="button" className="button button-icon" aria-label={elementTexts.close} onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
      <Notices isModal />
    </dialog>
  )
}
