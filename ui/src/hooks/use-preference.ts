import { useSyncExternalStore } from 'react'
import { createListeners } from './listeners.ts'

const { tell, subscribe } = createListeners()
/** Lists to which every tab adds, so the stored value is the newest. */
const SHARED: ReadonlySet<string> = new Set(['recent', 'views'])
// A choice in another tab does not affect this one, because that could close what is open here. Besides, storage can be forbidden.
const memory = new Map<string, string | null>()

export function readPreference(name: string): string | null {
  const key = `task-dashboard:${name}`
  const known = memory.get(key)
  if (known !== undefined) return known
  const stored = readStored(key)
  if (!SHARED.has(name)) memory.set(key, stored)
  return stored
}

export function writePreference(name: string, value: string): void {
  const key = `task-dashboard:${name}`
  if (store(key, value) && SHARED.has(name)) memory.delete(key)
  else memory.set(key, value)
  tell()
}

function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function store(key: string, value: string): boolean {
  try {
    localStorage.setItem(key, value)
    return true
  } catch {
    return false
  }
}

export function usePreference(name: string): string | null {
  return useSyncExternalStore(subscribe, () => readPreference(name))
}
