import { dismiss, useNotices } from '../../hooks/use-notices.ts'
import { Icon } from '../elements/icon.tsx'
import { StatusMark } from '../elements/status-mark.tsx'
import { frameTexts } from '../../texts/frame.ts'

export function Notices() {
  const notices = useNotices()
  return (
    <div className="notices" role="status" aria-live="polite">
      {notices.map(notice => (
        <div key={notice.id} className={`notice notice-${notice.tone}`}>
          <StatusMark
            mark={notice.tone === 'good' ? 'success' : 'failed'} word={notice.tone === 'good' ? frameTexts.done : frameTexts.refused}
            isQuiet
          />
          <span className="wrap">{notice.text}</span>
          <button type="button" className="button button-icon" aria-label={frameTexts.dismiss} onClick={() => dismiss(notice.id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  )
}
