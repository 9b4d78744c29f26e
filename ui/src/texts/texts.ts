import type { en } from './en/en.ts'
import { setLanguageNow, type Language } from './language.ts'

/** What every language must have: what English has. */
export type Texts = typeof en

type Room = (chosen: Texts | null) => void

let chosen: Texts | null = null
const rooms: Room[] = []

/**
 * A room of texts follows the language. Each is a module of its own, so that a page loads the English texts that it shows, and no others.
 * Read them while drawing: they change when another language is chosen. `null` is English.
 */
export function whenChosen(room: Room): void {
  rooms.push(room)
  room(chosen)
}

/** @param texts null: those of English, which every room has */
export function setTexts(language: Language, texts: Texts | null): void {
  setLanguageNow(language)
  chosen = texts
  for (const room of rooms) room(texts)
}
