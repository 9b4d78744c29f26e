import { useSyncExternalStore } from 'react'
import { currentTime } from '../format/time/clock.ts'
import { withLocalTimes } from '../format/time/time.ts'
import { createListeners } from './listeners.ts'

export interface Notice {
  readonly id: number
  /** `doubt`: it is not known whether the action happened. */
  readonly tone: 'good' | 'bad' | 'doubt'
  readonly text: string
}

let notices: readonly Notice[] = []
let lastId = 0
const { tell, subscribe } = createListeners()
const SHOWN_MS = 6_000
const MAX_SHOWN = 3

/** Reports the result of an action. Failures stay until they are dismissed. */
export function notify(tone: Notice['tone'], text: string): void {
  const notice = { id: ++lastId, tone, text: withLocalTimes(text, currentTime()) }
  set([...notices, notice].slice(-MAX_SHOWN))
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
