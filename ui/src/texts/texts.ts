import type { en } from './en/en.ts'
import { setLanguageNow, type Language } from './language.ts'

/** Every language must have the texts that English has. */
export type Texts = typeof en

type Room = (chosen: Texts | null) => void

let chosen: Texts | null = null
const rooms: Room[] = []

/**
 * Calls `room` with the texts of the chosen language, now and whenever the language changes; `null` is English. Each group of texts is a
 * module of its own that registers itself here, so that a page loads only the English texts that it shows. Read texts while drawing,
 * because they change with the language.
 */
export function whenChosen(room: Room): void {
  rooms.push(room)
  room(chosen)
}

/** @param texts null for English, which every module has itself */
export function setTexts(language: Language, texts: Texts | null): void {
  setLanguageNow(language)
  chosen = texts
  for (const room of rooms) room(texts)
}
