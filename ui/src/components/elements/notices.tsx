import { useIsOnTop } from '../../hooks/use-is-on-top.ts'
import { dismiss, useNotices } from '../../hooks/use-notices.ts'
import { Icon } from './icon.tsx'
import { StatusMark } from './status-mark.tsx'
import { elementTexts } from '../../texts/elements.ts'

/** Of the page, and of each modal dialog: what lies behind a modal dialog is dimmed, does not answer, and is not read out. */
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
