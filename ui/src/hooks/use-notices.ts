import { useSyncExternalStore } from 'react'
import { withNotice, type Notice } from '../format/actions/notices.ts'
import { currentTime } from '../format/time/clock.ts'
import { withLocalTimes } from '../format/time/time.ts'
import { createListeners } from './listeners.ts'

let notices: readonly Notice[] = []
let lastId = 0
const { tell, subscribe } = createListeners()
const SHOWN_MS = 6_000

/** Reports the result of an action. Failures stay until they are dismissed. */
export function notify(tone: Notice['tone'], text: string): void {
  const notice = { id: ++lastId, tone, text: withLocalTimes(text, currentTime()) }
  set(withNotice(notices, notice))
  if (tone === 'good') setTimeout(() => dismiss(notice.id), SHOWN_MS)
}

export function dismiss(id: number): void {
  set(notices.filter(notice => notice.id !== id))
}

export function useNotices(): readonly Notice[] {
  return useSyncExternalStore(subscribe, () => notices)
}

function set(next: readonly Notice[]): void {
  notices = next
  tell()
}
