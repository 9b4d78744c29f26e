import { useIsOnTop } from '../../hooks/use-is-on-top.ts'
import { dismiss, useNotices } from '../../hooks/use-notices.ts'
import { Icon } from './icon.tsx'
import { StatusMark } from './status-mark.tsx'
import { elementTexts } from '../../texts/elements.ts'

/** Used by the page and by each modal dialog, because whatever lies behind a modal dialog is dimmed, inert, and not read out. */
export function Notices({ isModal = false }: { isModal?: boolean }) {
  const isOnTop = useIsOnTop(isModal)
  const notices = useNotices()
  return (
    <div className="notices" role="status" aria-live="polite">
      {isOnTop && notices.map(notice => (
        <div key={notice.id} className={`notice notice-${notice.tone}`}>
          <StatusMark mark={MARKS[notice.tone]} word={elementTexts.outcomes[notice.tone]} isQuiet />
          <span className="wrap">{notice.text}</span>
          <button type="button" className="button button-icon" aria-label={elementTexts.dismiss} onClick={() => dismiss(notice.id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  )
}

const MARKS = { good: 'success', bad: 'failed', doubt: 'warning' } as const
