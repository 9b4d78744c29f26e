import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
// Storage can be forbidden; the choice then lasts as long as the page.
const memory = new Map<string, string>()

export function readPreference(name: string): string | null {
  const key = `task-dashboard:${name}`
  try {
    return memory.get(key) ?? localStorage.getItem(key)
  } catch {
    return memory.get(key) ?? null
  }
}

export function writePreference(name: string, value: string): void {
  const key = `task-dashboard:${name}`
  memory.set(key, value)
  try {
    localStorage.setItem(key, value)
  } catch { /* kept in memory */ }
  for (const listener of listeners) listener()
}

export function usePreference(name: string): string | null {
  return useSyncExternalStore(subscribe, () => readPreference(name))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => { listeners.delete(listener) }
}
