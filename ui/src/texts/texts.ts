import { en } from './en/en.ts'
import { setLanguageNow, type Language } from './language.ts'

/** What every language must have: what English has. */
export type Texts = typeof en

/** Every text of the interface, in the language of the reader. Read it while drawing: it changes when another language is chosen. */
export let texts: Texts = en

export function setTexts(language: Language, chosen: Texts): void {
  setLanguageNow(language)
  texts = chosen
}
